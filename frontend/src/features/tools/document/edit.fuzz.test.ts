import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyEdit } from "@/shared/yaml/edit";
import { nodeAt, plainOf } from "@/shared/yaml/plain";
import { Source, type YAMLSeq } from "@/shared/yaml/source";
import { readTool, type ToolForm } from "./tool";
import { editTool, type ToolEdit } from "./toolEdits";

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

  it("leave every byte outside the step whose field changes", () => {
    const field = fc.constantFrom("url", "body", "result", "timeout", "next", "cache");
    fc.assert(
      fc.property(documents, fc.nat(9), field, anyText, fc.nat(99), (text, pick, name, value, whole) => {
        const source = new Source(text);
        const steps = nodeAt(source.doc.contents, ["steps"]) as YAMLSeq;
        const index = pick % steps.items.length;
        const key = text.indexOf("steps:");
        const piece = source.pieces(steps, source.afterLine(key))![index]!;
        const path = ["steps", index, name];
        const result =
          name === "cache"
            ? editTool(text, { do: "flag", path, value: true })
            : name === "timeout" || name === "next"
              ? editTool(text, { do: "whole", path, value: whole })
              : editTool(text, { do: "text", path, value });
        if (!result.ok) return;
        expect(result.text.startsWith(text.slice(0, piece.start))).toBe(true);
        expect(result.text.endsWith(text.slice(piece.next))).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  it("move lines, and change none but those with step numbers", () => {
    const bag = (text: string) =>
      text
        .split(/\r?\n/)
        .map((line) => line.replace(/\d+/g, "N"))
        .filter((line) => line.trim() !== "")
        .sort();
    fc.assert(
      fc.property(documents, fc.nat(9), fc.nat(9), (text, a, b) => {
        const count = formOf(text).steps.length;
        const result = editTool(text, { do: "move", path: ["steps"], from: a % count, to: b % count });
        if (result.ok) expect(bag(result.text)).toEqual(bag(text));
      }),
      { numRuns: RUNS },
    );
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
