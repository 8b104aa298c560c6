/** Where a caret stands in a YAML text, from the lines above it alone, so that it works in faulty texts too. */
export interface YamlContext {
  /** Fields and `[]` for lists, from the top: `["steps", "[]", "var", "[]"]`. */
  path: string[];
  /** The field whose value is being written, or null while a field is. */
  key: string | null;
  /** What has been written of the word. */
  word: string;
  /** Whether it stands between braces or brackets. */
  flow?: true;
}

interface Line {
  indent: number;
  dashes: boolean;
  column: number;
  key: string | null;
}

function readLine(text: string): Line | null {
  const found = /^( *)((?:- +)*)(?:(["']?)([\p{L}\p{N}_-]+)\3:(?= |$))?/u.exec(text);
  if (!found || /^\s*(?:#|$)/.test(text)) return null;
  const [, spaces = "", dashes = "", , key] = found;
  return { indent: spaces.length, dashes: dashes !== "", column: spaces.length + dashes.length, key: key ?? null };
}

function blockContext(lines: readonly string[], lineIndex: number, column: number): YamlContext {
  const before = (lines[lineIndex] ?? "").slice(0, column);
  const [, spaces = "", dashes = "", rest = ""] = /^( *)((?:- +)*)(.*)$/.exec(before) ?? [];
  const value = /^(["']?)([\p{L}\p{N}_-]+)\1: +(.*)$/u.exec(rest);
  const path: string[] = [];
  let at = spaces.length + dashes.length;
  let inList = false;
  if (dashes) {
    path.unshift("[]");
    at = spaces.length;
    inList = true;
  }
  for (let i = lineIndex - 1; i >= 0 && (at > 0 || inList); i -= 1) {
    const line = readLine(lines[i]!);
    if (!line?.key) continue;
    const sibling = line.dashes && line.indent === at;
    if (inList ? line.column > at || sibling : line.column >= at && !(line.column === at && line.dashes)) continue;
    if (inList || line.column < at) {
      path.unshift(line.key);
      at = line.column;
      inList = false;
    }
    if (line.dashes) {
      path.unshift("[]");
      at = line.indent;
      inList = true;
    }
  }
  return { path, key: value?.[2] ?? null, word: value ? value[3]! : rest };
}

interface Level {
  list: boolean;
  key: string | null;
}

/** What is open at the end of a text that begins with a brace or bracket; null when nothing is. */
function openLevels(text: string): { levels: Level[]; word: string } | null {
  const levels: Level[] = [];
  let word = "";
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i]!;
    const level = levels.at(-1);
    if ((char === '"' || char === "'") && word.trim() === "") {
      const closing = char === '"' ? /(?:\\.|[^"\\])*"/y : /(?:''|[^'])*'(?!')/y;
      closing.lastIndex = i + 1;
      const found = closing.exec(text);
      word += found ? char + found[0] : text.slice(i);
      i = found ? closing.lastIndex - 1 : text.length;
    } else if (char === "{" || char === "[") {
      levels.push({ list: char === "[", key: null });
      word = "";
    } else if (char === "}" || char === "]") {
      levels.pop();
      if (levels.length === 0) return null;
      word = "";
    } else if (char === "," && level) {
      level.key = null;
      word = "";
    } else if (char === ":" && level && !level.list && level.key === null && /^(?:\s|$)/.test(text.slice(i + 1))) {
      level.key = word.trim().replace(/^(["'])(.*)\1$/, "$2");
      word = "";
    } else word += char;
  }
  return { levels, word: word.trimStart() };
}

/** Lines above the caret's in which braces may have been opened. */
const FLOW_LINES = 20;
const FLOW_START = /^ *(?:- +)*(?:(["']?)[\p{L}\p{N}_-]+\1: +)?(?=[{[])/u;

function flowContext(lines: readonly string[], lineIndex: number, column: number): YamlContext | null {
  for (let i = lineIndex; i >= Math.max(0, lineIndex - FLOW_LINES); i -= 1) {
    const start = FLOW_START.exec(lines[i]!)?.[0].length;
    if (start === undefined) continue;
    if (i === lineIndex && start >= column) continue;
    const until = i === lineIndex ? lines[i]!.slice(0, column) : lines[i]!;
    const more = i === lineIndex ? [] : [...lines.slice(i + 1, lineIndex), lines[lineIndex]!.slice(0, column)];
    const open = openLevels([until.slice(start), ...more].join("\n"));
    if (!open) return null;
    const around = blockContext(lines, i, start);
    const path = [...around.path, ...(around.key === null ? [] : [around.key])];
    open.levels.forEach((level, depth) => {
      if (level.list) path.push("[]");
      else if (depth < open.levels.length - 1) path.push(level.key ?? "");
    });
    return { path, key: open.levels.at(-1)!.key, word: open.word, flow: true };
  }
  return null;
}

export function contextAt(lines: readonly string[], lineIndex: number, column: number): YamlContext {
  return flowContext(lines, lineIndex, column) ?? blockContext(lines, lineIndex, column);
}
