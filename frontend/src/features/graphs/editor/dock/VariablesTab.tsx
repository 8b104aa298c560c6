import { Button } from "@mantine/core";
import { IconVariablePlus } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useStateNow } from "@/features/runs/graph/useStateNow";
import { TYPES, UPDATES } from "../../document/graph";
import { useGraph } from "../context";
import { useWatched } from "../run/watched";
import type { Actions } from "../useActions";
import classes from "./Dock.module.css";
import { VariableValue } from "./VariableValue";

/** The state variables, and what is in them at the moment that is looked at. */
export function VariablesTab({ actions }: { actions: Actions }) {
  const { t } = useTranslation();
  const { graph, locked } = useGraph();
  const watched = useWatched();
  const values = useStateNow(watched?.state.graph ?? null, watched?.inspected.fold ?? null);
  const known = new Map(graph.state.map((variable) => [variable.name, variable]));
  const names = [...new Set([...known.keys(), ...Object.keys(values ?? {})])];
  const word = (list: readonly string[], key: "types" | "updates", value: string) =>
    list.includes(value) ? t(`graphs.${key}.${value}` as "graphs.types.str") : value;
  return (
    <>
      {names.length === 0 ? (
        <p className="muted">{t("graphs.noVariables")}</p>
      ) : (
        <table className={classes.variables} aria-label={t("graphs.variables")}>
          <thead>
            <tr>
              <th scope="col">{t("graphs.name")}</th>
              <th scope="col">{t("graphs.type")}</th>
              <th scope="col">{t("graphs.update")}</th>
              {values && <th scope="col">{t(watched?.past ? "graphs.valueThen" : "graphs.valueNow")}</th>}
            </tr>
          </thead>
          <tbody>
            {names.map((name) => {
              const variable = known.get(name);
              return (
                <tr key={name}>
                  <td>
                    <code>{name}</code>
                    {graph.inputs.includes(name) && <div className="muted small">{t("graphs.asked")}</div>}
                  </td>
                  <td>{variable ? word(TYPES, "types", variable.type) : ""}</td>
                  <td>{variable ? word(UPDATES, "updates", variable.update) : ""}</td>
                  {values && (
                    <td className={classes.value}>
                      {Object.hasOwn(values, name) && watched && (
                        <VariableValue watched={watched} name={name} value={values[name]} />
                      )}
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      {!locked && (
        <Button
          mt={12}
          size="compact-sm"
          variant="default"
          leftSection={<IconVariablePlus size={14} />}
          onClick={actions.showGraph}
        >
          {t("graphs.editVariables")}
        </Button>
      )}
    </>
  );
}
