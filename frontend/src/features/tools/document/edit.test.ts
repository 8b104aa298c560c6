import { describe, expect, it } from "vitest";
import { readTool, type ToolForm } from "./tool";
import { editTool, type MissingChoice, type ToolEdit } from "./toolEdits";

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

describe("a request that came from elsewhere", () => {
  const request = {
    url: "https://api.example.com/a",
    method: "POST",
    headers: { Authorization: "Bearer ${env:EXAMPLE_TOKEN}", "Content-Type": "application/json" },
    query: [{ key: "page", value: "2" }],
    body: '{"id": 12345678901234567890}',
    timeout: null,
    env: ["BASE_URL", "EXAMPLE_TOKEN"],
  };

  it("becomes a step, its names are declared, and no other line changes", () => {
    const made = ok(EXAMPLE, { do: "addStep", index: 3, request });
    const before = EXAMPLE.split("\n");
    const kept = made.split("\n").filter((line) => before.includes(line));
    expect(before.filter((line) => !kept.includes(line))).toEqual(["env: [BASE_URL, CLIENT_ID]"]);
    const read = formOf(made);
    expect(read.env.map(({ text }) => text)).toEqual(["BASE_URL", "CLIENT_ID", "EXAMPLE_TOKEN"]);
    expect(read.steps[3]!.body.text).toBe(request.body);
    expect(read.steps[3]!.headers.map(({ key }) => key)).toEqual(Object.keys(request.headers));
  });

  it("takes the place of a step's request, and leaves what the step does with the answer", () => {
    const made = ok(EXAMPLE, { do: "request", step: 0, request: { ...request, headers: {}, body: null } });
    const step = formOf(made).steps[0]!;
    expect([step.url.text, step.headers.length, step.body.kind]).toEqual([request.url, 0, "absent"]);
    expect(step.query.map(({ key }) => key.text)).toEqual(["page"]);
    expect([step.vars[0]!.name.text, step.timeout.text, step.next.text]).toEqual(["token", "15", "1"]);
    const again = formOf(ok(made, { do: "request", step: 0, request })).steps[0]!;
    expect([again.headers.length, again.body.text]).toEqual([2, request.body]);
  });

  it("keeps line breaks of its body as they are", () => {
    const body = "--x\r\nA: b\r\n\r\n1\r\n--x--\r\n";
    const made = ok(EXAMPLE, { do: "addStep", index: 0, request: { ...request, body } });
    expect(formOf(made).steps[0]!.body.text).toBe(body);
  });

  it("brings a variable with what happens when its value is missing", () => {
    const add = (missing: MissingChoice) =>
      formOf(ok(EXAMPLE, { do: "addVar", step: 0, name: "x", extract: "/(a)/", missing })).steps[0]!.vars.at(-1)!
        .missing;
    expect(add({ kind: "empty" })).toEqual({ kind: "empty" });
    expect(add({ kind: "abort" })).toEqual({ kind: "abort" });
    expect(add({ kind: "default", value: "no: 1" })).toMatchObject({ kind: "default", value: { text: "no: 1" } });
    expect(add({ kind: "jump", target: 2 })).toMatchObject({ kind: "jump", target: { text: "2" } });
  });
});
