import { useCallback } from "react";
import { variableNamed } from "../../document/variableName";
import { useEditor, useEditorHandle } from "../EditorContext";

/** Takes what somebody clicked in an answer into a new variable of its step, and goes there. */
export function useTakeValue(): ((step: number, path: string) => void) | null {
  const { store } = useEditorHandle();
  const readOnly = useEditor((state) => state.readOnly);
  const take = useCallback(
    (step: number, path: string) => {
      const { reading, edit, goTo } = store.getState();
      const vars = reading.form?.steps[step]?.vars;
      if (!vars) return;
      // A value that is taken already is only shown.
      const known = vars.findIndex(({ extract }) => extract.text === path);
      const name = variableNamed(
        path,
        vars.map((one) => one.name.text),
      );
      if (known < 0 && !edit({ do: "addVar", step, name, extract: path })) return;
      const at = `steps[${step}].var[${known < 0 ? vars.length : known}].name`;
      goTo({ path: at, line: 1, column: 1, to: "form", select: true });
    },
    [store],
  );
  return readOnly ? null : take;
}
