import { expect, it } from "vitest";
import { ExactNumber } from "@/shared/json/exact";
import { hasGaps, messagesIn, textOf, whole, withoutGaps } from "./said";

const cut = (value: string, more: object = {}) => ({ cut: true, size: 20_000, head: "once", value, ...more });
const kept: Record<string, string> = {
  "3.0": "once upon a time",
  "3.1": '[{"role":"user","content":"first"},{"role":"assistant","content":{"cut":true,"value":"3.0","head":"once"}}]',
  "3.2": '{"number":12345678901234567890}',
};
const read = ({ value }: { value: string }) => Promise.resolve(kept[value]!);

it("sends a long text on as it was said, not as its beginning", async () => {
  const said = messagesIn([{ role: "assistant", content: cut("3.0"), msg_id: "a-1", node_name: "answer" }]);
  expect(await whole(said, read)).toEqual([{ role: "assistant", content: "once upon a time" }]);
});

it("takes a list that came cut off apart into its messages", async () => {
  const said = [cut("3.1", { json: true }), { role: "user", content: "last" }];
  expect(hasGaps(said)).toBe(true);
  const messages = messagesIn(await withoutGaps(said, read));
  expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  expect(((await whole(messages, read)) as typeof messages).map(({ content }) => content)).toEqual([
    "first",
    "once upon a time",
    "last",
  ]);
  expect(messagesIn(await withoutGaps(cut("3.1", { json: true }), read))).toHaveLength(2);
  expect(hasGaps(messages)).toBe(false);
});

it("keeps what a message is besides its text, and integers as they were", async () => {
  const calls = [{ id: "c1", function: { name: "order_status" } }];
  const said = messagesIn([{ role: "assistant", content: null, tool_calls: calls, name: null }]);
  expect(said).toEqual([{ role: "assistant", content: "", tool_calls: calls }]);
  expect(await whole({ exact: new ExactNumber("12345678901234567890") }, read)).toEqual({
    exact: new ExactNumber("12345678901234567890"),
  });
  const number = ((await whole(cut("3.2", { json: true }), read)) as { number: unknown }).number;
  expect(String(number)).toBe("12345678901234567890");
});

it("fails where the whole can't be read, rather than to go on with less", async () => {
  const gone = () => Promise.reject(new Error("gone"));
  await expect(whole([{ content: cut("3.0") }], gone)).rejects.toThrow("gone");
});

it("says parts and objects as text", () => {
  expect(textOf("<b>hi</b>")).toBe("<b>hi</b>");
  expect(
    textOf([
      { type: "text", text: "a" },
      { type: "text", text: "b" },
    ]),
  ).toBe("a\nb");
  expect(textOf({ answer: 42 })).toContain('"answer": 42');
  expect(textOf(["a", { image_url: "x" }])).toContain("image_url");
});
