/** Whether a text can be an expression at all. What its names mean, only the server knows. */

const TOKEN =
  /\s+|(?<text>[rRbB]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'))|(?<number>(?:0x[\da-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)[uU]?)|(?<word>[A-Za-z_]\w*)|(?<mark>&&|\|\||[=!<>]=|[-+*/%<>!?:.,()[\]{}])/y;
const BETWEEN = new Set(["&&", "||", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%", "in"]);
const DEEPEST = 100;

class Unreadable extends Error {}

function tokensOf(source: string): { kind: "text" | "number" | "word" | "mark"; source: string }[] {
  const tokens: ReturnType<typeof tokensOf> = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const found = TOKEN.exec(source);
    if (!found) throw new Unreadable();
    const kind = (["text", "number", "word", "mark"] as const).find((one) => found.groups![one] !== undefined);
    if (kind) tokens.push({ kind, source: found[0] });
  }
  return tokens;
}

class Check {
  private at = 0;
  private depth = 0;
  constructor(private readonly tokens: ReturnType<typeof tokensOf>) {}

  whole(): void {
    this.expression();
    if (this.at < this.tokens.length) throw new Unreadable();
  }

  private is(mark: string): boolean {
    const token = this.tokens[this.at];
    return token !== undefined && token.kind !== "text" && token.source === mark;
  }

  private took(mark: string): boolean {
    if (!this.is(mark)) return false;
    this.at += 1;
    return true;
  }

  private want(mark: string): void {
    if (!this.took(mark)) throw new Unreadable();
  }

  private expression(): void {
    if (++this.depth > DEEPEST) throw new Unreadable();
    this.value();
    while (this.tokens[this.at]?.kind !== "text" && BETWEEN.has(this.tokens[this.at]?.source ?? "")) {
      this.at += 1;
      this.value();
    }
    if (this.took("?")) {
      this.expression();
      this.want(":");
      this.expression();
    }
    this.depth -= 1;
  }

  private list(end: string, item: () => void): void {
    while (!this.took(end)) {
      item();
      if (!this.is(end)) this.want(",");
    }
  }

  private value(): void {
    while (this.took("!") || this.took("-"));
    const token = this.tokens[this.at];
    if (this.took("(")) {
      this.expression();
      this.want(")");
    } else if (this.took("[")) this.list("]", () => this.expression());
    else if (this.took("{")) this.list("}", () => (this.expression(), this.want(":"), this.expression()));
    else {
      this.took(".");
      if (!this.tokens[this.at] || this.tokens[this.at]!.kind === "mark" || token!.source === "in")
        throw new Unreadable();
      this.at += 1;
      if (token!.kind === "word" && this.took("(")) this.list(")", () => this.expression());
    }
    this.members();
  }

  private members(): void {
    for (;;) {
      if (this.took(".")) {
        if (this.tokens[this.at]?.kind !== "word") throw new Unreadable();
        this.at += 1;
        if (this.took("(")) this.list(")", () => this.expression());
      } else if (this.took("[")) {
        this.expression();
        this.want("]");
      } else return;
    }
  }
}

export function isExpression(source: string): boolean {
  try {
    new Check(tokensOf(source)).whole();
    return true;
  } catch (error) {
    if (error instanceof Unreadable) return false;
    throw error;
  }
}
