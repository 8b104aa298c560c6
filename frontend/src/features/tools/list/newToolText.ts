import { editTool } from "../document/toolEdits";

const EMPTY = `name: new_tool
desc: Describe what this tool does, so that the LLM knows when to use it
steps:
  - url: http://sandbox/echo
    method: GET
`;

/** The text of a new tool. */
export function newToolText(name: string, desc: string): string {
  return [
    ["name", name],
    ["desc", desc],
  ].reduce((text, [field, value]) => {
    const result = value ? editTool(text, { do: "text", path: [field!], value }) : { ok: false as const };
    return result.ok ? result.text : text;
  }, EMPTY);
}
