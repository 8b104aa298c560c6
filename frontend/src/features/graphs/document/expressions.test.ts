import { describe, expect, it } from "vitest";
import { renamedExpression, renamedSource } from "./expressions";

const variable = { from: "total", to: "sum", roots: ["state", "input"] };
const step = { from: "a", to: "b", roots: ["steps"] };

describe("names in expressions", () => {
  it.each([
    ["state.total > 100.0", "state.sum > 100.0"],
    ["state[\"total\"] + state['total']", "state[\"sum\"] + state['sum']"],
    ['state.total == "state.total"', 'state.sum == "state.total"'],
    ["input.total", "input.sum"],
    ["state.totals + steps.total + other.state.total", "state.totals + steps.total + other.state.total"],
    ["state . total", "state . sum"],
    ["state.order.total", "state.order.total"],
    ['state["total"].total', 'state["sum"].total'],
    ['"a \\" state.total" + state.total', '"a \\" state.total" + state.sum'],
  ])("%s follows a variable", (before, after) => {
    expect(renamedExpression(before, variable)).toBe(after);
  });

  it("writes names that are no words of CEL as keys", () => {
    expect(renamedExpression("state.total > 1.0", { ...variable, to: "总额" })).toBe('state["总额"] > 1.0');
    expect(renamedExpression('state["总额"] > 1.0', { ...variable, from: "总额", to: "sum" })).toBe(
      'state["sum"] > 1.0',
    );
  });

  it("changes keys of a filter's map only where they are keys", () => {
    const keys = { ...variable, keys: true };
    expect(renamedExpression("{'total': state.total, \"x\": 'total'}", keys)).toBe(
      "{'sum': state.sum, \"x\": 'total'}",
    );
  });

  it.each([
    ['state.x > 1.0 ? "a" : "c"', 'state.x > 1.0 ? "b" : "c"'],
    ['["a", "c"]', '["b", "c"]'],
    ['state.kind == "a" ? "a" : "c"', 'state.kind == "a" ? "b" : "c"'],
    ['"a" in state.kinds ? "c" : "a"', '"a" in state.kinds ? "c" : "b"'],
    ['state.x.contains("a") ? "a" : "c"', 'state.x.contains("a") ? "b" : "c"'],
    ['state["a"] ? "a" : "c"', 'state["a"] ? "b" : "c"'],
    ['steps["a"].text == "" ? "a" : "c"', 'steps["b"].text == "" ? "b" : "c"'],
  ])("%s follows a step", (before, after) => {
    expect(renamedExpression(before, { ...step, targets: true })).toBe(after);
  });

  it("does the same to how it is written in YAML", () => {
    const all = { ...variable, keys: true };
    expect(renamedSource(`'state.total == "total"'`, all)).toBe(`'state.sum == "total"'`);
    expect(renamedSource(`'{''total'': state.total}'`, all)).toBe(`'{''sum'': state.sum}'`);
    expect(renamedSource(`"state[\\"total\\"] == 'total'"`, all)).toBe(`"state[\\"sum\\"] == 'total'"`);
    expect(renamedSource("state.total", all)).toBe("state.sum");
  });
});
