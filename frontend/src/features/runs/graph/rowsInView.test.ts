import { describe, expect, it } from "vitest";
import { boxHeight, rowsInView, scrollTo, slotsOf } from "./rowsInView";

const HEIGHT = 32;
const VIEW = 700;
/** The head of the table, which scrolls with the rows. */
const HEAD = 32;

describe.each([0, 5, 14_005, 250_000, 300_000, 2_000_000])("of %d rows", (count) => {
  const box = boxHeight(count, HEIGHT);
  const end = Math.max(0, box + HEAD - VIEW);

  it.each([0, 0.1, 0.5, 0.9, 0.999, 1])("the view is filled at %d of the way", (part) => {
    const top = end * part;
    const { first, last, offset } = rowsInView(count, HEIGHT, top, VIEW);
    const bottom = offset + (last - first) * HEIGHT;
    expect(offset).toBeLessThanOrEqual(top + 0.01);
    expect(bottom).toBeGreaterThanOrEqual(Math.min(top + VIEW - HEAD, box) - 0.01);
    expect(bottom).toBeLessThanOrEqual(box + 0.01 + HEIGHT * 8);
    expect(last - first).toBeLessThanOrEqual(slotsOf(HEIGHT, VIEW));
  });

  it("the first and the last row can be reached", () => {
    expect(rowsInView(count, HEIGHT, 0, VIEW)).toMatchObject({ first: 0, offset: 0 });
    const { first, last, offset } = rowsInView(count, HEIGHT, end, VIEW);
    expect(last).toBe(count);
    expect(offset + (last - first) * HEIGHT).toBeCloseTo(box, 3);
  });

  it("a row is in view where it is scrolled to", () => {
    for (const row of [0, Math.floor(count / 3), count - 1].filter((one) => one >= 0 && one < count)) {
      const top = Math.min(end, scrollTo(row, count, HEIGHT, VIEW));
      const { first, last } = rowsInView(count, HEIGHT, top, VIEW);
      expect(first <= row && row < last).toBe(true);
    }
  });
});
