/** Definitions that the server holds as objects become text before JavaScript could change a number in them. */
import { type JsonNode, tryParseJson, writeJson } from "@/shared/json/exact";

const AS_OBJECT = /"definition"\s*:\s*[{[]/;

function texted(node: JsonNode, depth: number): JsonNode {
  if (node.kind !== "object") return node;
  return {
    kind: "object",
    entries: node.entries.map(([key, value]): [string, JsonNode] => {
      if (key === "definition" && value.kind !== "string")
        return [key, { kind: "string", value: `${writeJson(value, "  ")}\n` }];
      return [key, depth > 0 ? texted(value, depth - 1) : value];
    }),
  };
}

/** An answer of the server with its definitions as text: its own, and those of a conflict. */
export function withDefinitionText(body: string): string {
  const node = AS_OBJECT.test(body) ? tryParseJson(body) : null;
  return node ? writeJson(texted(node, 1)) : body;
}

export async function fetchWithText(request: Request): Promise<Response> {
  const response = await fetch(request);
  if (!response.headers.get("Content-Type")?.includes("json")) return response;
  const { status, statusText, headers } = response;
  return new Response(withDefinitionText(await response.text()), { status, statusText, headers });
}
