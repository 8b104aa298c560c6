import { editTool, type GivenRequest } from "../document/toolEdits";

/** The address of the step that a new tool begins with, so that it runs before anything was written. */
export const STARTER_URL = "http://sandbox/echo";

const EMPTY = `name: new_tool
desc: Describe what this tool does, so that the LLM knows when to use it
steps:
  - url: ${STARTER_URL}
    method: GET
`;

/** The text of a new tool, perhaps with a request that came from elsewhere as its step. */
export function newToolText(name: string, desc: string, request?: GivenRequest): string {
  const base = request ? editTool(EMPTY, { do: "request", step: 0, request }) : null;
  return [
    ["name", name],
    ["desc", desc],
  ].reduce(
    (text, [field, value]) => {
      const result = value ? editTool(text, { do: "text", path: [field!], value }) : { ok: false as const };
      return result.ok ? result.text : text;
    },
    base?.ok ? base.text : EMPTY,
  );
}
