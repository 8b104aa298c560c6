import { describe, expect, it } from "vitest";
import { readTool } from "./tool";
import { editTool } from "./toolEdits";
import { undeclaredIn } from "./undeclared";

const TEXT = `name: weather
desc: x
params:
  - {name: city, type: string, required: true, description: A city}
env: [BASE_URL]
steps:
  - url: \${env:BASE_URL}/\${param:city}/\${param:zip}
    headers:
      X-Key: "\${env:API_KEY} $\${param:literal}"
    query:
      - {key: a, value: "\${param:zip}"}
    body: |
      {
        "who": "\${param:who}"
      }
    var: [{name: t, extract: data}]
    result: "\${step0:t}"
`;
const listed = (text: string) => undeclaredIn(readTool(text).form!, text);

describe("references to what isn't declared", () => {
  it("are found once each, where they stand", () => {
    const lines = TEXT.split("\n");
    expect(listed(TEXT).map(({ kind, name, path }) => [kind, name, path])).toEqual([
      ["param", "zip", "steps[0].url"],
      ["env", "API_KEY", "steps[0].headers.X-Key"],
      ["param", "who", "steps[0].body"],
    ]);
    for (const { kind, name, line, column } of listed(TEXT))
      expect(lines[line - 1]!.slice(column - 1)).toMatch(new RegExp(`^\\$\\{${kind}:${name}\\}`));
    expect(listed(TEXT.replaceAll("\n", "\r\n")).map(({ line }) => line)).toEqual(listed(TEXT).map(({ line }) => line));
  });

  it("are gone once they are added", () => {
    let text = TEXT;
    for (const { kind, name } of listed(TEXT)) {
      const result = editTool(text, kind === "param" ? { do: "addParam", name } : { do: "addEnv", name });
      if (result.ok) text = result.text;
    }
    expect(listed(text)).toEqual([]);
  });
});
