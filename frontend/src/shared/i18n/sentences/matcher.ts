/**
 * Finds what a sentence says in a catalogue of patterns, and says it in the catalogue's language.
 *
 * A pattern is a sentence with holes, `there is no node {0}`, and its translation has some of the same holes. What
 * stood in a hole is taken over as it is; `{0!}` is itself something to be translated, where it is known. Sentences
 * that were put together (`a: b`, one behind the other, one a line) are taken apart.
 */
export type Catalogue = Readonly<Record<string, string>>;

interface Pattern {
  /** The texts around the holes; holes that touch count as one. */
  literals: string[];
  /** Which of the merged holes a numbered hole is, if it is the first of it. */
  holes: Map<number, number>;
  /** Whether a merged hole may hold the end of a sentence and more. */
  open: boolean[];
  say: string;
  /** A part of sentences that says too little to be known by itself. */
  fragment: boolean;
}

/** What was found for a text, and whether every part of it is known. */
interface Said {
  text: string;
  whole: boolean;
}

const HOLE = /\{(\d+)(!?)\}/g;
const HOLE_PARTS = /(\{\d+!?\})/;
const HOLE_ALONE = /^\{(\d+)(!?)\}$/;
const BETWEEN: Readonly<Record<string, string>> = { "; ": "；", " ": "" };
const FEWEST_LETTERS = 6;
const LONGEST_COMPOUND = 4_000;
const MOST_ENDS_TRIED = 12;
const SAYS_ENOUGH = 40;
const DEEPEST = 8;
const REMEMBERED = 4_000;

function compile(source: string, say: string, word: boolean): Pattern {
  const literals: string[] = [];
  const holes = new Map<number, number>();
  let at = 0;
  for (const found of source.matchAll(/\{(\d+)\}/g)) {
    const literal = source.slice(at, found.index);
    if (literal || literals.length === 0) {
      holes.set(Number(found[1]), literals.length);
      literals.push(literal);
    }
    at = found.index + found[0].length;
  }
  literals.push(source.slice(at));
  const translated = new Set([...say.matchAll(HOLE)].filter((one) => one[2]).map((one) => holes.get(Number(one[1]))));
  return {
    literals,
    holes,
    open: literals.slice(0, -1).map((literal, hole) => translated.has(hole) || /[“"'`(:] ?$/.test(literal)),
    say,
    fragment: word || literals.join("").replace(/[^A-Za-z]/g, "").length < FEWEST_LETTERS,
  };
}

/** A pattern without the place that it begins with: pages show the place by itself, or the two are put together. */
const bare = (text: string) => text.replace(/^\{0\}[:：] ?/, "");

/** Puts texts together, with the blank that stands between Chinese and Latin letters. */
function spaced(left: string, right: string): string {
  const meet = left.slice(-1) + right.slice(0, 1);
  return left + (/^(?:[\u4e00-\u9fff][\w`$'"]|[\w`'"][\u4e00-\u9fff])$/.test(meet) ? " " : "") + right;
}

/** Where a quoted value that begins here is over; -1 when none does. */
function quoteEnd(text: string, at: number): number {
  const quote = text[at];
  if (quote !== "'" && quote !== '"') return -1;
  for (let index = at + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (text[index] === quote) return index + 1;
  }
  return -1;
}

/** Whether a value is more than a value: the end of one sentence and the beginning of another. */
function goesOn(value: string): boolean {
  if (quoteEnd(value, 0) === value.length) return false;
  return /[.!?]\s+[A-Z]|; |\n/.test(value) || (value.includes(": ") && !/^[`[{]/.test(value));
}

/** Whether a sentence may begin with this: a name, or a value as programs write them; but no words of somebody's. */
const isValue = (value: string) => quoteEnd(value, 0) === value.length || !/\s/.test(value) || /^[`[{]/.test(value);

/** What stands in the holes, if the whole text is such a sentence. */
function holesOf({ literals, open }: Pattern, text: string): string[] | null {
  const first = literals[0]!;
  const last = literals.at(-1)!;
  if (literals.length === 1) return text === first ? [] : null;
  const end = text.length - last.length;
  let at = first.length;
  if (end < at || !text.startsWith(first) || !text.endsWith(last)) return null;
  const held: string[] = [];
  for (const literal of literals.slice(1, -1)) {
    const quoted = quoteEnd(text, at);
    let next = quoted < 0 ? -1 : text.indexOf(literal, quoted);
    if (next < 0) next = text.indexOf(literal, at);
    if (next < 0 || next + literal.length > end) return null;
    held.push(text.slice(at, next));
    at = next + literal.length;
  }
  held.push(text.slice(at, end));
  return held.some((value, hole) => !open[hole] && goesOn(value)) ? null : held;
}

/**
 * Gives a function that says known sentences in another language, and unknown ones as they are.
 *
 * @param sentences - Patterns of sentences and of their parts.
 * @param words - Words and parts, which are known in holes only.
 */
export function sayer(sentences: Catalogue, words: Catalogue = {}): (text: string) => string {
  const weight = ({ literals }: Pattern) => literals.join("").length;
  const patterns = [
    ...Object.entries(sentences).map(([source, say]) => compile(bare(source), bare(say), false)),
    ...Object.entries(words).map(([source, say]) => compile(source, say, true)),
  ].sort((a, b) => weight(b) - weight(a));
  const plain = new Map(patterns.filter((one) => one.literals.length === 1).map((one) => [one.literals[0]!, one]));
  const holed = patterns.filter((one) => one.literals.length > 1);
  const begun = new Map<string, Pattern[]>();
  const memory = new Map<string, Said | null>();

  function filled(pattern: Pattern, held: string[], depth: number): Said {
    let whole = true;
    const parts = pattern.say.split(HOLE_PARTS).map((part) => {
      const [, number, translate] = HOLE_ALONE.exec(part) ?? [];
      if (number === undefined) return part;
      const value = held[pattern.holes.get(Number(number)) ?? -1] ?? "";
      const said = translate && depth < DEEPEST ? known(value, true, depth + 1) : null;
      whole &&= said ? said.whole : !translate || (isValue(value) && !goesOn(value));
      return said?.text ?? value;
    });
    return { text: parts.reduce(spaced), whole };
  }

  /** The patterns that a text may be by its first and its last sign, those that say most first. */
  function candidates(text: string): Pattern[] {
    const [begin, end] = [text.slice(0, 1), text.slice(-1)];
    let found = begun.get(begin + end);
    if (!found) {
      found = holed.filter(({ literals: [first, ...more] }) => {
        const last = more.at(-1)!;
        return (first === "" || first!.startsWith(begin)) && (last === "" || last.endsWith(end));
      });
      if (begun.size >= REMEMBERED) begun.clear();
      begun.set(begin + end, found);
    }
    return found;
  }

  function exact(text: string, inside: boolean, depth: number, closed = false): Said | null {
    const fixed = plain.get(text);
    if (fixed && (inside || !fixed.fragment)) return { text: fixed.say, whole: true };
    for (const pattern of candidates(text)) {
      if ((pattern.fragment && !inside) || (closed && pattern.literals.at(-1) === "")) continue;
      const held = holesOf(pattern, text);
      if (held && begins(pattern, held[0]!, depth)) return filled(pattern, held, depth);
    }
    return null;
  }

  function begins({ literals, open }: Pattern, value: string, depth: number): boolean {
    if (literals[0] !== "" || isValue(value)) return true;
    if (literals.join("").length > SAYS_ENOUGH && value.length < SAYS_ENOUGH && !goesOn(value)) return true;
    return open[0] === true && depth < DEEPEST && exact(value, true, depth + 1) !== null;
  }

  /** One sentence, with the full stop that it was given or robbed of on its way. */
  function one(text: string, inside: boolean, depth: number): Said | null {
    if (!text.endsWith(".")) {
      const said = exact(text, inside, depth);
      if (said) return said;
      const stopped = exact(`${text}.`, inside, depth, true);
      return stopped && { ...stopped, text: stopped.text.replace(/。$/, "") };
    }
    const said = exact(text, inside, depth, true);
    if (said) return said;
    const bare = exact(text.slice(0, -1), inside, depth);
    return bare ? { ...bare, text: bare.text.replace(/。?$/, "。") } : exact(text, inside, depth);
  }

  /** `place: sentence`. */
  function placed(text: string, inside: boolean, depth: number): Said | null {
    const colon = text.indexOf(": ");
    const head = text.slice(0, Math.max(0, colon));
    const mark = head.startsWith("- ") ? "- " : "";
    const name = head.slice(mark.length);
    const place = colon < 0 ? null : (exact(`${name}: `, true, depth)?.text ?? (isValue(name) ? `${name}：` : null));
    const rest = place === null ? null : known(text.slice(colon + 2), inside, depth + 1);
    return rest && { ...rest, text: mark + place + rest.text };
  }

  /** Sentences one behind the other, each of which is known. */
  function joined(text: string, inside: boolean, depth: number): Said | null {
    let tried = 0;
    for (const found of text.matchAll(/; |(?<=[.!?]) |\n/g)) {
      if (++tried > MOST_ENDS_TRIED) return null;
      const [separator] = found;
      const head = text.slice(0, found.index);
      const first = one(head, inside, depth) ?? (separator === "\n" ? exact(head + separator, inside, depth) : null);
      const said = first?.whole ? first : placed(head, inside, depth + 1);
      if (!said?.whole) continue;
      const rest = text.slice(found.index + separator.length);
      const tail = known(rest, inside, depth);
      if (tail?.whole) {
        return { text: said.text + (BETWEEN[separator] ?? separator) + tail.text, whole: true };
      }
      const more = one(separator + rest, true, depth);
      if (more) return { ...more, text: said.text + more.text };
    }
    return null;
  }

  function known(text: string, inside: boolean, depth: number): Said | null {
    const key = inside ? `\0${text}` : text;
    const remembered = memory.get(key);
    if (remembered !== undefined) return remembered;
    let said = one(text, inside, depth);
    if (!said?.whole && depth < DEEPEST && text.length <= LONGEST_COMPOUND) {
      const compound = joined(text, inside, depth) ?? placed(text, inside, depth);
      if (compound?.whole || !said) said = compound;
    }
    if (memory.size >= REMEMBERED) memory.clear();
    memory.set(key, said);
    return said;
  }

  /** Of a list of lines that isn't known as a whole, each line that is. */
  function lines(text: string): string {
    if (!text.includes("\n")) return text;
    const line = (one: string) => (known(one, false, 0) ?? known(`${one}\n`, false, 0))?.text ?? one;
    return text.split("\n").map(line).join("\n");
  }

  return (text) => known(text, false, 0)?.text ?? lines(text);
}
