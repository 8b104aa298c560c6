import { describe, expect, it } from "vitest";
import { parseJson } from "./exact";
import { meantBy, pathTo } from "./paths";

const answer = parseJson(
  '{"data": {"status": "sent", "Amount": 1, "items": [{"name": "a"}]}, "ok": true, "a.b": {"c": 1}}',
);

describe("paths that may have been meant", () => {
  it("end with what was written", () => {
    expect(meantBy("status", answer)).toEqual(["data.status"]);
    expect(meantBy("amount", answer)).toEqual(["data.Amount"]);
    expect(meantBy("items", answer)).toEqual(["data.items"]);
    expect(meantBy("name", answer)).toEqual(["data.items[0].name"]);
    expect(meantBy("c", answer)).toEqual(['["a.b"].c']);
  });

  it("are none where the path is right, is a pattern, or leads nowhere at all", () => {
    for (const path of ["ok", "data.status", "/status/", "items[0]", "", "nothing"])
      expect(meantBy(path, answer)).toEqual([]);
  });

  it("are quoted where a key has signs of its own", () => {
    expect(pathTo("data", "a b")).toBe("data.a b");
    expect(pathTo("data", "a.b")).toBe('data["a.b"]');
    expect(pathTo("", 0)).toBe("[0]");
  });
});
