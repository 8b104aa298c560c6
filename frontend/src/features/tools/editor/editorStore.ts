/** The state of one open tool. */
import type { Tool } from "@/shared/api/shapes";
import { createDraftEditor, type DraftEditor, type DraftState } from "@/shared/editor/draftStore";
import { readTool, type Reading } from "../document/tool";
import { editTool, type ToolEdit } from "../document/toolEdits";
import { toolValidate } from "../requests/toolValidate";
import { toolKind } from "./toolKind";

export type Editor = DraftEditor<Tool, Reading, ToolEdit>;
export type EditorState = DraftState<Tool, Reading, ToolEdit>;

export function createEditor(tool: Tool, readOnly: boolean): Editor {
  return createDraftEditor(
    {
      kind: toolKind,
      read: readTool,
      edit: editTool,
      validate: async (text) => {
        const { problems, function_schema: schema } = await toolValidate(text);
        return { problems, schema };
      },
      schema: (stored) => stored.function_schema,
    },
    tool,
    readOnly,
  );
}
