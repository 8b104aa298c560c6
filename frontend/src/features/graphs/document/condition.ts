/**
 * Branches as rows that stand for a chain of CEL: `a ? "x" : b ? "y" : "z"`. What isn't such a chain stays an
 * expression.
 */
export const OPERATORS = [
  "==",
  "!=",
  ">",
  ">=",
  "<",
  "<=",
  "contains",
  "has",
  "starts",
  "ends",
  "matches",
  "empty",
  "filled",
  "true",
  "false",
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Branch {
  variable: string;
  operator: Operator;
  /** As written: a text, or a number when `number` says so. */
  value: string;
  number: boolean;
  target: string;
}

export interface Condition {
  branches: Branch[];
  otherwise: string;
}

const COMPARING: readonly string[] = ["==", "!=", ">", ">=", "<", "<="];
const METHODS: Partial<Record<Operator, string>> = {
  contains: "contains",
  starts: "startsWith",
  ends: "endsWith",
  matches: "matches",
};
const ORDER: readonly Operator[] = [">", ">=", "<", "<="];

/** Whether an operator has a value beside it. */
export function takesValue(operator: Operator): boolean {
  return !["empty", "filled", "true", "false"].includes(operator);
}

/** The operators that make sense for a type of variable. */
export function operatorsFor(type: string | undefined): readonly Operator[] {
  if (type === "int" || type === "float") return ["==", "!=", ">", ">=", "<", "<=", "empty", "filled"];
  if (type === "bool") return ["true", "false", "empty", "filled"];
  if (type === "str") return ["==", "!=", "contains", "starts", "ends", "matches", "empty", "filled"];
  if (type === "list" || type === "tuple" || type === "dict") return ["empty", "filled", "has"];
  return OPERATORS;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Numbers are doubles in expressions. */
function numberText(value: string): string {
  if (/^-?\d+$/.test(value)) return `${value}.0`;
  return NUMBER.test(value) ? value : "0.0";
}

const quoted = (text: string): string => JSON.stringify(text);
const access = (variable: string): string =>
  /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/.test(variable) ? `state.${variable}` : `state[${quoted(variable)}]`;

/** What a row tests, in CEL, with the guards that a variable without a value needs. */
export function testText({ variable, operator, value, number }: Branch): string {
  const name = access(variable);
  if (operator === "true") return `${name} == true`;
  if (operator === "false") return `${name} == false`;
  if (operator === "empty") return `(${name} == null || ${name} in [dyn(""), [], {}])`;
  if (operator === "filled") return `(${name} != null && !(${name} in [dyn(""), [], {}]))`;
  const method = METHODS[operator];
  if (operator === "has") return `(${name} != null && ${number ? numberText(value) : quoted(value)} in ${name})`;
  if (method) return `(${name} != null && ${name}.${method}(${quoted(value)}))`;
  const right = number ? numberText(value) : quoted(value);
  if (ORDER.includes(operator)) return `(${name} != null && ${name} ${operator} ${right})`;
  return `${name} ${operator} ${right}`;
}

/** The expression that rows stand for. */
export function conditionText({ branches, otherwise }: Condition): string {
  return `${branches.map((branch) => `${testText(branch)} ? ${quoted(branch.target)} : `).join("")}${quoted(otherwise)}`;
}

/** Every target, each once, in order. */
export function targetsOf({ branches, otherwise }: Condition): string[] {
  return [...new Set([...branches.map(({ target }) => target), otherwise])].filter((target) => target !== "");
}

interface Token {
  kind: "text" | "word" | "number" | "mark";
  text: string;
}

function tokensOf(source: string): Token[] | null {
  const tokens: Token[] = [];
  const pattern =
    /\s+|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|([A-Za-z_]\w*)|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(==|!=|>=|<=|&&|\|\||[?:()[\]{}.,<>!])/y;
  let at = 0;
  while (at < source.length) {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (!found) return null;
    at = pattern.lastIndex;
    if (found[1] !== undefined) {
      const text = unquoted(found[1]);
      if (text === null) return null;
      tokens.push({ kind: "text", text });
    } else if (found[2] !== undefined) tokens.push({ kind: "word", text: found[2] });
    else if (found[3] !== undefined) tokens.push({ kind: "number", text: found[3] });
    else if (found[4] !== undefined) tokens.push({ kind: "mark", text: found[4] });
  }
  return tokens;
}

function unquoted(source: string): string | null {
  const inner = source.slice(1, -1);
  const json = source[0] === '"' ? source : `"${inner.replaceAll("\\'", "'").replace(/(?<!\\)"/g, '\\"')}"`;
  try {
    return JSON.parse(json) as string;
  } catch {
    return null;
  }
}

class Unread extends Error {}

class Reader {
  private at = 0;
  constructor(private readonly tokens: Token[]) {}

  private peek(text: string, ahead = 0): boolean {
    const token = this.tokens[this.at + ahead];
    return token !== undefined && token.kind !== "text" && token.text === text;
  }

  private take(...texts: string[]): void {
    for (const text of texts) {
      if (!this.peek(text)) throw new Unread();
      this.at += 1;
    }
  }

  private next(kind: Token["kind"]): string {
    const token = this.tokens[this.at];
    if (token?.kind !== kind) throw new Unread();
    this.at += 1;
    return token.text;
  }

  condition(): Condition {
    const branches: Branch[] = [];
    while (!(this.tokens[this.at]?.kind === "text")) {
      const test = this.test();
      this.take("?");
      branches.push({ ...test, target: this.next("text") });
      this.take(":");
    }
    const otherwise = this.next("text");
    if (this.at < this.tokens.length || branches.length === 0) throw new Unread();
    return { branches, otherwise };
  }

  private variable(): string {
    this.take("state");
    if (this.peek("[")) {
      this.take("[");
      const name = this.next("text");
      this.take("]");
      return name;
    }
    this.take(".");
    let name = this.next("word");
    while (this.peek(".") && !this.peek("(", 2)) {
      this.take(".");
      name += `.${this.next("word")}`;
    }
    return name;
  }

  private again(variable: string): void {
    if (this.variable() !== variable) throw new Unread();
  }

  private rest(variable: string): Omit<Branch, "target"> {
    if (this.peek(".")) {
      this.take(".");
      const method = this.next("word");
      const operator = (Object.keys(METHODS) as Operator[]).find((one) => METHODS[one] === method);
      if (!operator) throw new Unread();
      this.take("(");
      const value = this.next("text");
      this.take(")");
      return { variable, operator, value, number: false };
    }
    const operator = this.tokens[this.at]?.text ?? "";
    if (!COMPARING.includes(operator)) throw new Unread();
    this.take(operator);
    const token = this.tokens[this.at];
    if (token?.kind === "word" && ["true", "false"].includes(token.text) && operator === "==") {
      this.at += 1;
      return { variable, operator: token.text as Operator, value: "", number: false };
    }
    if (token?.kind === "number") {
      this.at += 1;
      return { variable, operator: operator as Operator, value: token.text.replace(/\.0$/, ""), number: true };
    }
    return { variable, operator: operator as Operator, value: this.next("text"), number: false };
  }

  private nothing(): void {
    this.take("in", "[", "dyn", "(");
    if (this.next("text") !== "") throw new Unread();
    this.take(")", ",", "[", "]", ",", "{", "}", "]");
  }

  private test(): Omit<Branch, "target"> {
    if (!this.peek("(")) return this.rest(this.variable());
    this.take("(");
    if (this.peek("state") === false) throw new Unread();
    const variable = this.variable();
    let found: Omit<Branch, "target">;
    if (this.peek("==") && this.peek("null", 1)) {
      this.take("==", "null", "||");
      this.again(variable);
      this.nothing();
      found = { variable, operator: "empty", value: "", number: false };
    } else if (this.peek("!=") && this.peek("null", 1)) {
      this.take("!=", "null", "&&");
      found = this.guarded(variable);
    } else found = this.rest(variable);
    this.take(")");
    return found;
  }

  private guarded(variable: string): Omit<Branch, "target"> {
    if (this.peek("!")) {
      this.take("!", "(");
      this.again(variable);
      this.nothing();
      this.take(")");
      return { variable, operator: "filled", value: "", number: false };
    }
    const first = this.tokens[this.at];
    if (first?.kind === "number" || first?.kind === "text") {
      this.at += 1;
      this.take("in");
      this.again(variable);
      const number = first.kind === "number";
      return { variable, operator: "has", value: number ? first.text.replace(/\.0$/, "") : first.text, number };
    }
    this.again(variable);
    return this.rest(variable);
  }
}

/** The rows that an expression stands for, or null when it is more than rows can say. */
export function readCondition(source: string): Condition | null {
  const tokens = tokensOf(source);
  if (!tokens) return null;
  try {
    return new Reader(tokens).condition();
  } catch (error) {
    if (error instanceof Unread) return null;
    throw error;
  }
}

const SIGNS: Partial<Record<Operator, string>> = {
  "==": "=",
  "!=": "≠",
  ">=": "≥",
  "<=": "≤",
  contains: "∋",
  has: "∋",
  starts: "…",
  ends: "…",
  matches: "~",
  empty: "= ∅",
  filled: "≠ ∅",
  true: "✓",
  false: "✗",
};

/** A short word for each branch, to stand at its wire. */
export function conditionLabels(source: string, otherwise: string): ReadonlyMap<string, string> {
  const labels = new Map<string, string>();
  const condition = readCondition(source);
  if (!condition) return labels;
  const add = (target: string, text: string) => {
    const old = labels.get(target);
    labels.set(target, old ? `${old}, ${text}` : text);
  };
  for (const { variable, operator, value, target, number } of condition.branches) {
    const shown = takesValue(operator) ? ` ${number ? value : value === "" ? '""' : value}` : "";
    add(target, `${variable} ${SIGNS[operator] ?? operator}${shown}`);
  }
  add(condition.otherwise, otherwise);
  return labels;
}
