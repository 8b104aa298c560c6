import { describe, expect, it } from "vitest";
import { beforeSecret, isCurl, requestOf } from "./curlCommand";

describe("a pasted cURL command", () => {
  it("is told from other texts", () => {
    for (const text of ["curl https://a.example", "  curl -X POST \\\n x", "$ curl x", "curl.exe ^\n x", "CURL x"])
      expect(isCurl(text), text).toBe(true);
    for (const text of ["", "curl", "curly hair", "https://a.example/curl x", "use curl x", "curling x"])
      expect(isCurl(text), text).toBe(false);
  });

  it("tells the word that stays before a secret in a header", () => {
    const headers = { Authorization: "Bearer ${env:TOKEN}", "X-Key": "${env:KEY}" };
    const from = { step: { url: "u", method: "GET", headers }, env: [], needs: [], notes: [] } as never;
    expect(beforeSecret(from, "Authorization", "TOKEN")).toBe("Bearer");
    expect(beforeSecret(from, "X-Key", "KEY")).toBe("");
    expect(beforeSecret(from, "Cookie", "COOKIE")).toBe("");
  });

  it("gives a request with all of its fields", () => {
    const from = { step: { url: "u", method: "GET" }, env: ["KEY"], needs: [], notes: [] };
    expect(requestOf(from as never)).toEqual({
      url: "u",
      method: "GET",
      headers: {},
      query: [],
      body: null,
      timeout: null,
      env: ["KEY"],
    });
  });
});
