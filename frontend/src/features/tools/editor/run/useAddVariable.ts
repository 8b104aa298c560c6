import { useCallback } from "react";
import type { MissingChoice } from "../../document/toolEdits";
import { variableNamed } from "../../document/variableName";
import { useEditorHandle } from "../EditorContext";

/** Puts a new variable into a step and goes to its name; one that takes the same value already is only shown. */
export function useAddVariable(): (step: number, extract: string, name?: string, missing?: MissingChoice) => void {
  const { store } = useEditorHandle();
  return useCallback(
    (step, extract, given, missing) => {
      const { reading, edit, goTo } = store.getState();
      const vars = reading.form?.steps[step]?.vars;
      if (!vars) return;
      const known = vars.findIndex((one) => one.extract.text === extract);
      const taken = vars.map((one) => one.name.text);
      const name = given ?? variableNamed(extract, taken);
      if (known < 0 && !edit({ do: "addVar", step, name, extract, missing })) return;
      const at = `steps[${step}].var[${known < 0 ? vars.length : known}].name`;
      goTo({ path: at, line: 1, column: 1, to: "form", select: true });
    },
    [store],
  );
}
