import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JournalOrder } from "./journal";

const journal = (n: number) => Array.from({ length: n }, (_, i) => ({ seq: i + 1 }));

describe("the order of a journal", () => {
  it("drops what it has seen", () => {
    const order = new JournalOrder();
    order.take(journal(3));
    expect(order.take(journal(5)).added.map((e) => e.seq)).toEqual([4, 5]);
  });

  it("asks again at a gap and takes a journal's own gap the second time", () => {
    const order = new JournalOrder();
    expect(order.take([{ seq: 1 }, { seq: 3 }])).toEqual({ added: [{ seq: 1 }], gap: true });
    expect(order.last).toBe(1);
    expect(order.take([{ seq: 3 }])).toEqual({ added: [{ seq: 3 }], gap: false });
  });

  it("gives each event once and in order however the link breaks", () => {
    fc.assert(
      fc.property(fc.array(fc.record({ from: fc.nat(40), count: fc.nat(12) })), (pieces) => {
        const all = journal(40);
        const order = new JournalOrder();
        for (const { from, count } of pieces) {
          let answer = order.take(all.slice(from, from + count));
          if (answer.gap) answer = order.take(all.slice(order.last, order.last + count));
          expect(answer.gap).toBe(false);
        }
        order.take(all.slice(order.last));
        expect(order.events.map((e) => e.seq)).toEqual(all.map((e) => e.seq));
      }),
    );
  });
});
