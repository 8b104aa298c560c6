import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Branch, conditionText, OPERATORS, readCondition, takesValue, targetsOf } from "./condition";

const name = fc.stringMatching(/^[a-z_][a-z0-9_]{0,8}$/);
const branch: fc.Arbitrary<Branch> = fc
  .record({
    variable: fc.oneof(
      name,
      fc.stringMatching(/^[a-z -]{1,6}[^a-z]$/),
      name.map((one) => `order.${one}`),
    ),
    operator: fc.constantFrom(...OPERATORS),
    number: fc.boolean(),
    text: fc.string(),
    digits: fc.oneof(fc.integer().map(String), fc.constantFrom("0.5", "-12.25", "1e3")),
    target: name,
  })
  .map(({ variable, operator, number, text, digits, target }) => {
    const numeric = number && takesValue(operator) && !["contains", "starts", "ends", "matches"].includes(operator);
    const value = !takesValue(operator) ? "" : numeric ? digits : text;
    return { variable, operator, value, number: numeric, target };
  });

describe("conditions", () => {
  it("rows stand for an expression and come back from it", () => {
    fc.assert(
      fc.property(fc.array(branch, { minLength: 1, maxLength: 4 }), name, (branches, otherwise) => {
        expect(readCondition(conditionText({ branches, otherwise }))).toEqual({ branches, otherwise });
      }),
    );
  });

  it("reads what people write", () => {
    expect(readCondition(`state.total > 100.0 ? "review" : 'reply'`)).toEqual({
      branches: [{ variable: "total", operator: ">", value: "100", number: true, target: "review" }],
      otherwise: "reply",
    });
    expect(readCondition('state.ok == true ? "a" : "b"')?.branches[0]?.operator).toBe("true");
  });

  it("leaves what is more than rows", () => {
    for (const source of [
      '"a"',
      "",
      'size(state.a) > 1 ? "a" : "b"',
      'state.a > state.b ? "a" : "b"',
      '["a", "b"]',
      "state.a ?",
      'input.a == "1" ? "a" : "b"',
    ])
      expect(readCondition(source), source).toBeNull();
  });

  it("writes numbers as doubles and guards against nothing", () => {
    const text = conditionText({
      branches: [{ variable: "total", operator: ">=", value: "100", number: true, target: "a" }],
      otherwise: "b",
    });
    expect(text).toBe('(state.total != null && state.total >= 100.0) ? "a" : "b"');
    expect(targetsOf(readCondition(text)!)).toEqual(["a", "b"]);
  });
});
