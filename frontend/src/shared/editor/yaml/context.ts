/** Where a caret stands in a tool's YAML, from the lines above it alone, so that it works in faulty texts too. */
export interface YamlContext {
  /** Fields and `[]` for lists, from the top: `["steps", "[]", "var", "[]"]`. */
  path: string[];
  /** The field whose value is being written, or null while a field is. */
  key: string | null;
  /** What has been written of the word. */
  word: string;
}

interface Line {
  indent: number;
  dashes: boolean;
  column: number;
  key: string | null;
}

function readLine(text: string): Line | null {
  const found = /^( *)((?:- +)*)(?:(["']?)([\w-]+)\3:(?= |$))?/.exec(text);
  if (!found || /^\s*(?:#|$)/.test(text)) return null;
  const [, spaces = "", dashes = "", , key] = found;
  return { indent: spaces.length, dashes: dashes !== "", column: spaces.length + dashes.length, key: key ?? null };
}

export function contextAt(lines: readonly string[], lineIndex: number, column: number): YamlContext {
  const before = (lines[lineIndex] ?? "").slice(0, column);
  const [, spaces = "", dashes = "", rest = ""] = /^( *)((?:- +)*)(.*)$/.exec(before) ?? [];
  const value = /^(["']?)([\w-]+)\1: +(.*)$/.exec(rest);
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
