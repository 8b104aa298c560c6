import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit } from "./edit";
import { plainOf } from "./plain";
import { Source } from "./source";
import { readTool, type ToolForm } from "./tool";
import { editTool, type ToolEdit } from "./toolEdits";

const EXAMPLE = `# Looks an order up.
name: order_status   # shown to the LLM
desc: 'What became of an order'

params:
  # the number on the receipt
  - {name: order_id, type: string, required: true, description: "Order number"}
  - name: verbose
    type: boolean
    required: false
    description: >-
      Tell
      everything
    default: false
env: [BASE_URL, CLIENT_ID]

steps:
  # 1: the token
  - url: \${env:BASE_URL}/auth/token
    method: POST
    headers:
      Content-Type: application/json
      # X-Debug: "1"
    body: |
      {"client_id": "\${env:CLIENT_ID}"}
    timeout: 15   # slow upstream
    cache: true
    var:
      - name: token
        extract: access_token
        abort: true
    next: 1

  # 2: the order
  - url: "\${env:BASE_URL}/orders/\${param:order_id}"
    headers: {Authorization: "Bearer \${step0:token}", Accept: application/json}
    query:
    - key: lang
      value: 'en'
    var:
      - name: status
        extract: data.status
        jump: 2
  - url: http://sandbox/echo

    # why: the second source
    body: 'a \${step1:status} $\${step1:status}'
    result: |
      Status: \${step1:status}
      Token: \${step0:token}
`;

function ok(text: string, edit: ToolEdit): string {
  const result = editTool(text, edit);
  expect(result.ok, JSON.stringify(edit)).toBe(true);
  return result.ok ? result.text : text;
}

function changedLines(before: string, after: string): string[] {
  const old = before.split("\n");
  const now = after.split("\n");
  let head = 0;
  while (head < old.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  return now.slice(head, now.length - tail);
}

describe("an edit of the form", () => {
  it.each<[ToolEdit, string[]]>([
    [{ do: "text", path: ["desc"], value: "one" }, ["desc: 'one'"]],
    [{ do: "text", path: ["desc"], value: "it's: so" }, ["desc: 'it''s: so'"]],
    [{ do: "whole", path: ["steps", 0, "timeout"], value: 7 }, ["    timeout: 7   # slow upstream"]],
    [{ do: "text", path: ["steps", 0, "body"], value: "a\nb\n" }, ["      a", "      b"]],
    [{ do: "text", path: ["steps", 2, "url"], value: "http://x/ # y" }, ['  - url: "http://x/ # y"']],
    [{ do: "addHeader", step: 0, key: "X-A", value: "1" }, ['      X-A: "1"']],
    [{ do: "addEnv", name: "TOKEN" }, ["env: [BASE_URL, CLIENT_ID, TOKEN]"]],
    [{ do: "text", path: ["params", 1, "description"], value: "yes" }, ["    description: |-", "      yes"]],
    [{ do: "flag", path: ["steps", 1, "cache"], value: true, optional: true }, ["    cache: true"]],
    [{ do: "missing", step: 1, index: 0, missing: { kind: "default", value: "123" } }, ['        default: "123"']],
    [{ do: "default", param: 1, value: "true", type: "boolean" }, ["    default: true"]],
    [
      { do: "renameHeader", step: 1, key: "Accept", to: "X-Accept" },
      ['    headers: {Authorization: "Bearer ${step0:token}", X-Accept: application/json}'],
    ],
  ])("changes its own lines only: %j", (edit, lines) => {
    expect(changedLines(EXAMPLE, ok(EXAMPLE, edit))).toEqual(lines);
  });

  it("adds a parameter, a variable and a query where there was none", () => {
    const text = ["name: a", "desc: b", "steps:", "- url: x", "  result: ok", ""].join("\n");
    const all = (["addParam", "addEnv"] as const).reduce((now, what) => ok(now, { do: what, name: "city" }), text);
    const more = ok(ok(all, { do: "addVar", step: 0, name: "t" }), { do: "addQuery", step: 0 });
    expect(more).toBe(
      [
        "name: a",
        "desc: b",
        "params:",
        "- name: city",
        "  type: string",
        "  required: true",
        '  description: ""',
        "env:",
        "- city",
        "steps:",
        "- url: x",
        "  query:",
        '  - key: ""',
        '    value: ""',
        "  var:",
        "  - name: t",
        '    extract: ""',
        "  result: ok",
        "",
      ].join("\n"),
    );
  });

  it("takes a list away with its last entry", () => {
    const text = ok(ok(EXAMPLE, { do: "remove", path: ["env", 1] }), { do: "remove", path: ["env", 0] });
    expect(text).toBe(EXAMPLE.replace("env: [BASE_URL, CLIENT_ID]\n", ""));
  });

  it("keeps CRLF, a byte order mark and a missing last newline", () => {
    const text = `\ufeff${EXAMPLE.replaceAll("\n", "\r\n").trimEnd()}`;
    const edited = ok(ok(text, { do: "addStep", index: 3 }), { do: "move", path: ["steps"], from: 3, to: 0 });
    expect(edited.startsWith("\ufeff#")).toBe(true);
    expect(edited.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
    expect(edited).toContain("${step2:status}");
  });

  it("lets next, jump and references follow a move, comments too", () => {
    const moved = ok(EXAMPLE, { do: "move", path: ["steps"], from: 2, to: 0 });
    const form = formOf(moved);
    expect(form.steps[0]!.result.text).toBe("Status: ${step2:status}\nToken: ${step1:token}\n");
    expect(form.steps[0]!.body.text).toBe("a ${step2:status} $${step1:status}");
    expect(form.steps[1]!.next.text).toBe("2");
    expect(form.steps[2]!.vars[0]!.missing).toEqual({ kind: "jump", target: { text: "0", kind: "number" } });
    expect(moved).toContain("\n  # 1: the token\n  - url: ${env:BASE_URL}/auth/token\n");
    expect(moved).toContain('\n  # 2: the order\n  - url: "${env:BASE_URL}/orders');
    expect(ok(moved, { do: "move", path: ["steps"], from: 0, to: 2 })).toBe(EXAMPLE);
  });

  it("empties what pointed at a removed step", () => {
    const form = formOf(ok(EXAMPLE, { do: "remove", path: ["steps", 1] }));
    expect(form.steps).toHaveLength(2);
    expect(form.steps[0]!.next.kind).toBe("absent");
    expect(form.steps[1]!.result.text).toBe("Status: \nToken: ${step0:token}\n");
  });

  it("shows what a document with aliases means", () => {
    const reading = readTool("name: &a x\ndesc: *a\nsteps:\n- url: *a\n");
    expect(reading.ok).toBe(false);
    expect(reading.form?.steps[0]?.url.text).toBe("x");
    expect(readTool("name: &a [*a]\n").form).toBeUndefined();
  });

  it("leaves documents with aliases, tags or errors alone", () => {
    for (const text of [
      "name: &a x\ndesc: *a\n",
      "name: !!str x\n",
      "name: 'x\n",
      "a: 1\na: 2\n",
      "",
      "- a\n",
      "a: 1\n---\nb: 2\n",
    ]) {
      expect(readTool(text).ok, text).toBe(false);
      expect(editTool(text, { do: "text", path: ["desc"], value: "x" })).toEqual({ ok: false, why: "unreadable" });
    }
  });
});

function formOf(text: string): ToolForm {
  const reading = readTool(text);
  if (!reading.ok) throw new Error(`${JSON.stringify(reading.reason)}\n${text}`);
  return reading.form;
}

/* Documents written in many ways. */
const word = fc.constantFrom(
  "a",
  "${param:city}",
  "http://sandbox/x?y=1#z",
  "yes",
  "123",
  "it's",
  'say "x"',
  " lead",
  "trail ",
  "a: b",
  "a #b",
  "- x",
  "",
  "null",
  "12:30:45",
  "中文",
  "Bearer ${step0:t}",
  "$${step1:x} ${step1:t}",
  "{}",
  "[a]",
  "*x",
  "&y",
  "!z",
  "%d",
  "@e",
  "~",
  "0x1F",
  "x\ty",
  "tail:",
  "\\n",
  "é\u2028",
);
const lines = fc
  .array(fc.oneof(word, fc.constant(""), fc.constant("  in")), { minLength: 1, maxLength: 4 })
  .map((l) => l.join("\n"));
const anyText = fc.oneof(
  word,
  word,
  lines,
  fc.string({ unit: "grapheme", maxLength: 12 }).filter((s) => !/[\r]/.test(s)),
);

interface Writer {
  style: () => number;
}
function scalar(text: string, indent: number, pick: number): string {
  if (pick % 4 === 0 && /^[a-z中/$][\w/$:.{}?=#中-]*$/i.test(text) && !/:$|^(yes|null)$/.test(text)) return text;
  if (pick % 4 === 1 && !/[\n\t\u2028]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  if (pick % 4 === 2 && /^[^\s][^\t\u2028]*$/.test(text) && /\S$/.test(text)) {
    return `|-\n${text
      .split("\n")
      .map((l) => (l ? " ".repeat(indent) + l : ""))
      .join("\n")}`;
  }
  return JSON.stringify(text);
}
const step = fc.record({
  url: word,
  headers: fc.dictionary(fc.constantFrom("A", "B-c", "X"), word, { maxKeys: 3, noNullPrototype: true }),
  body: fc.option(lines),
  timeout: fc.option(fc.nat(90)),
  vars: fc.array(fc.record({ name: fc.constantFrom("t", "u"), extract: word, jump: fc.option(fc.nat(3)) }), {
    maxLength: 2,
  }),
  next: fc.option(fc.nat(3)),
  result: fc.option(lines),
  comment: fc.boolean(),
  blank: fc.boolean(),
  trailing: fc.boolean(),
  flow: fc.boolean(),
});
const documents = fc
  .record({
    steps: fc.array(step, { minLength: 1, maxLength: 4 }),
    desc: anyText,
    env: fc.array(fc.constantFrom("A", "B"), { maxLength: 2 }),
    dash: fc.constantFrom(0, 2),
    picks: fc.infiniteStream(fc.nat(3)),
    crlf: fc.boolean(),
    closed: fc.boolean(),
  })
  .map(({ steps, desc, env, dash, picks, crlf, closed }) => {
    const writer: Writer = { style: () => picks.next().value };
    const s = (text: string, indent: number) => scalar(text, indent, writer.style());
    const d = " ".repeat(dash);
    const f = " ".repeat(dash + 2);
    const out = ["# head", "name: x  # the name", `desc: ${s(desc, 2)}`];
    if (env.length)
      out.push(
        writer.style() % 2 ? `env: [${env.join(" , ")}]` : `env:\n${env.map((e) => `${d}- ${e} # e`).join("\n")}`,
      );
    out.push("steps: # the chain");
    steps.forEach((one, i) => {
      if (one.comment) out.push(`${d}# step ${i}`);
      out.push(`${d}- url: ${s(one.url, dash + 4)}`);
      const headers = Object.entries(one.headers);
      if (headers.length && one.flow)
        out.push(`${f}headers: {${headers.map(([k, v]) => `${k}: ${JSON.stringify(v)}`).join(", ")}}`);
      else if (headers.length)
        out.push(`${f}headers:`, ...headers.map(([k, v]) => `${f}  ${k}: ${s(v, dash + 6)}`), `${f}  # no more`);
      if (one.body !== null) out.push(`${f}body: ${s(one.body, dash + 4)}`);
      if (one.timeout !== null) out.push(`${f}timeout: ${one.timeout}${one.trailing ? "   # s" : ""}`);
      if (one.vars.length) {
        out.push(`${f}var:`);
        for (const v of one.vars) {
          out.push(`${f}${d}- name: ${v.name}`, `${f}${d}  extract: ${s(v.extract, dash + 8)}`);
          if (v.jump !== null) out.push(`${f}${d}  jump: ${v.jump}`);
        }
      }
      if (one.next !== null) out.push(`${f}next: ${one.next}`);
      if (one.result !== null) out.push(`${f}result: ${s(one.result, dash + 4)}`);
      if (one.blank) out.push("", `${f}# after`, "");
    });
    const text = out.join("\n") + (closed ? "\n" : "");
    return crlf ? text.replaceAll("\n", "\r\n") : text;
  })
  .filter((text) => readTool(text).ok);

const edits = (form: ToolForm) => {
  const n = form.steps.length;
  const at = fc.nat(n - 1);
  return fc.oneof(
    fc.record({ do: fc.constant("text" as const), path: fc.constant(["desc"]), value: anyText }),
    at.chain((i) =>
      fc.record({
        do: fc.constant("text" as const),
        path: fc.constantFrom(["steps", i, "url"], ["steps", i, "body"], ["steps", i, "result"]),
        value: anyText,
      }),
    ),
    at.chain((i) =>
      fc.record({
        do: fc.constant("text" as const),
        path: fc.constantFrom(["steps", i, "body"], ["steps", i, "result"]),
        value: fc.constant(""),
        optional: fc.constant(true),
      }),
    ),
    at.chain((i) =>
      fc.record({
        do: fc.constant("whole" as const),
        path: fc.constantFrom(["steps", i, "timeout"], ["steps", i, "next"]),
        value: fc.option(fc.nat(9)),
      }),
    ),
    fc.record({ do: fc.constant("addHeader" as const), step: at, key: fc.constantFrom("New", "X-1"), value: anyText }),
    fc.record({ do: fc.constant("addVar" as const), step: at, name: fc.constantFrom("v", "w") }),
    fc.record({ do: fc.constant("addQuery" as const), step: at }),
    fc.record({ do: fc.constantFrom("addEnv" as const, "addParam" as const), name: fc.constantFrom("E", "F") }),
    fc.record({ do: fc.constant("addStep" as const), index: fc.nat(n) }),
    fc.record({ do: fc.constant("move" as const), path: fc.constant(["steps"]), from: at, to: at }),
    fc.record({ do: fc.constant("remove" as const), path: at.map((i) => ["steps", i]) }),
  ) as fc.Arbitrary<ToolEdit>;
};

/** More with FUZZ_RUNS=20000. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 500);

describe("random edits of random documents", { timeout: 600_000 }, () => {
  it("do what was meant, or nothing, and keep every comment", () => {
    let refused = 0;
    let done = 0;
    fc.assert(
      fc.property(
        documents.chain((text) => fc.tuple(fc.constant(text), edits(formOf(text)))),
        ([text, edit]) => {
          const result = editTool(text, edit);
          if (!result.ok) {
            refused += 1;
            return;
          }
          done += 1;
          const comments = (t: string) =>
            new Source(t).doc.errors.length +
            (t.match(/# (?:head|the name|the chain|no more|after|s$|step \d)/gm)?.length ?? 0);
          if (edit.do !== "remove" && edit.do !== "text" && edit.do !== "whole")
            expect(comments(result.text)).toBe(comments(text));
          if (text.includes("\r\n") && !/[^\r]\n/.test(text)) expect(/[^\r]\n|^\n/.test(result.text)).toBe(false);
          if (edit.do === "text" && edit.value !== "") {
            const plain = JSON.stringify(plainOf(new Source(result.text).doc.contents));
            expect(plain).toContain(JSON.stringify(edit.value));
          }
        },
      ),
      { numRuns: RUNS },
    );
    expect(refused / (done + refused)).toBeLessThan(0.01);
  });

  it("change one stretch of lines for one field", () => {
    fc.assert(
      fc.property(documents, anyText, (text, value) => {
        const result = applyEdit(text, { op: "set", path: ["desc"], value });
        if (!result.ok) return;
        const start = text.indexOf("desc:");
        expect(result.text.slice(0, start)).toBe(text.slice(0, start));
        const rest = /^(?:env:|steps:)/m.exec(text.slice(start))!.index + start;
        expect(result.text.endsWith(text.slice(rest))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it("a move there and back gives the same bytes where nothing else follows", () => {
    fc.assert(
      fc.property(
        documents.filter((t) => formOf(t).steps.length > 1),
        fc.nat(3),
        fc.nat(3),
        (text, a, b) => {
          const n = formOf(text).steps.length;
          const [from, to] = [a % n, b % n];
          const there = editTool(text, { do: "move", path: ["steps"], from, to });
          if (!there.ok) return;
          const back = editTool(there.text, { do: "move", path: ["steps"], from: to, to: from });
          if (!back.ok) return;
          expect(JSON.stringify(formOf(back.text))).toBe(JSON.stringify(formOf(text)));
        },
      ),
      { numRuns: RUNS },
    );
  });
});
