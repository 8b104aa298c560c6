/** CEL as pieces, so that names can be changed in it without touching its strings. */

interface Piece {
  kind: "text" | "word" | "mark" | "space";
  /** As written. */
  source: string;
  /** Of a text: what it says, and what stands around it. */
  inner?: string;
  quote?: string;
}

/** How strings are quoted: as in CEL itself, or inside a YAML scalar with quotes of its own. */
const STRINGS = {
  plain: String.raw`(?<a>")(?<b>(?:\\.|[^"\\\n])*)"|(?<c>')(?<d>(?:\\.|[^'\\\n])*)'`,
  single: String.raw`(?<a>")(?<b>(?:\\.|[^"\\\n])*)"|(?<c>'')(?<d>(?:[^'\\\n])*)''`,
  double: String.raw`(?<a>\\")(?<b>(?:[^"\\\n])*)\\"|(?<c>')(?<d>(?:[^'\\\n])*)'`,
} as const;

function piecesOf(source: string, strings: keyof typeof STRINGS): Piece[] {
  const pattern = new RegExp(String.raw`(?<space>\s+)|(?<word>[\p{L}_][\p{L}\p{N}_]*)|${STRINGS[strings]}|.`, "gsu");
  return [...source.matchAll(pattern)].map((found): Piece => {
    const { space, word, a, b, c, d } = found.groups!;
    const whole = found[0];
    if (space) return { kind: "space", source: whole };
    if (word) return { kind: "word", source: whole };
    const quote = a ?? c;
    return quote === undefined
      ? { kind: "mark", source: whole }
      : { kind: "text", source: whole, inner: b ?? d ?? "", quote };
  });
}

export interface Renaming {
  from: string;
  to: string;
  /** Whose fields are meant: `state`, `input` or `steps`. */
  roots: readonly string[];
  /** Texts that name a target are meant too. */
  targets?: boolean;
  /** Keys of maps are meant too. */
  keys?: boolean;
}

const IDENTIFIER = /^[A-Za-z_]\w*$/;

function renamedPieces(source: string, strings: keyof typeof STRINGS, renaming: Renaming): string {
  const { from, to, roots, targets, keys } = renaming;
  const all = piecesOf(source, strings);
  const code = all.filter(({ kind }) => kind !== "space");
  const is = (at: number, text: string) => code[at]?.kind !== "text" && code[at]?.source === text;
  const isRoot = (at: number) => code[at]?.kind === "word" && roots.includes(code[at].source) && !is(at - 1, ".");
  const changed = new Map<Piece, string>();
  code.forEach((piece, at) => {
    if (piece.kind === "word" && piece.source === from && is(at - 1, ".") && isRoot(at - 2)) {
      if (IDENTIFIER.test(to)) changed.set(piece, to);
      else {
        const quote = strings === "double" ? '\\"' : '"';
        changed.set(code[at - 1]!, "");
        changed.set(piece, `[${quote}${to}${quote}]`);
      }
    }
    if (piece.kind !== "text" || piece.inner !== from) return;
    const put = `${piece.quote}${to}${piece.quote}`;
    const indexed = is(at - 1, "[") && (code[at - 2]?.kind === "word" || is(at - 2, "]") || is(at - 2, ")"));
    if (indexed) {
      if (isRoot(at - 2)) changed.set(piece, put);
      return;
    }
    if (keys && (is(at - 1, "{") || is(at - 1, ",")) && is(at + 1, ":")) changed.set(piece, put);
    if (!targets) return;
    const argument = is(at - 1, "(") && code[at - 2]?.kind === "word";
    const compared = is(at - 1, "=") || is(at + 1, "=") || is(at + 1, "!") || is(at + 1, ".");
    const member = [at - 1, at + 1].some((place) => is(place, "in"));
    if (!argument && !compared && !member) changed.set(piece, put);
  });
  return all.map((piece) => changed.get(piece) ?? piece.source).join("");
}

/** Lets names in an expression follow. */
export function renamedExpression(text: string, renaming: Renaming): string {
  return renamedPieces(text, "plain", renaming);
}

/** The same for an expression as it is written in a YAML document, with the quotes around it. */
export function renamedSource(source: string, renaming: Renaming): string {
  const quote = source[0];
  const quoted = source.length > 1 && source.endsWith(quote!);
  if (quote === "'" && quoted) return `'${renamedPieces(source.slice(1, -1), "single", renaming)}'`;
  if (quote === '"' && quoted) return `"${renamedPieces(source.slice(1, -1), "double", renaming)}"`;
  return renamedPieces(source, "plain", renaming);
}
