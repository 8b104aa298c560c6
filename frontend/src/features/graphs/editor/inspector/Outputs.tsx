import { ActionIcon, Autocomplete, Button, Select, Tooltip } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { GraphNode } from "../../document/graph";
import { addNamedVariable, put, renameKey, together } from "../../document/graphEdits";
import { freeName, variableFrom } from "../../document/names";
import { outputsOf } from "../../document/outputs";
import { useCalls, useEditor, useGraph } from "../context";
import classes from "../Editor.module.css";
import { useSources } from "./sources";

/** Which state variable takes which output of a step. */
export function Outputs({ node }: { node: GraphNode }) {
  const { t } = useTranslation();
  const edit = useEditor((state) => state.edit);
  const { graph, locked } = useGraph();
  const calls = useCalls();
  const sources = useSources([node]);
  const outputs = outputsOf(graph, node.name, calls, sources);
  const paths = outputs.map(({ path }) => path);
  const variables = ["messages", ...graph.state.map(({ name }) => name)];
  const used = node.outputs.map(([name]) => name);
  const base = ["nodes", node.name, "outputs"];
  const free = graph.state.map(({ name }) => name).find((name) => !used.includes(name));
  /** Without a variable that is free there is a new one, named after what it takes. */
  const add = () => {
    const taken = node.outputs.map(([, path]) => path);
    const next = outputs.find(({ path }) => !taken.includes(path)) ?? outputs[0] ?? { path: "text", type: "str" };
    if (free) {
      edit(put([...base, free], next.path));
      return;
    }
    const name = freeName(variableFrom(next.path), new Set(variables));
    const type = next.type === "any" ? "str" : next.type;
    edit(together(addNamedVariable(name, type), put([...base, name], next.path)));
  };
  return (
    <fieldset className={classes.rows}>
      <legend>{t("graphs.outputs")}</legend>
      <p className="muted small">{t("graphs.outputsHint")}</p>
      {node.outputs.map(([variable, path]) => (
        <div key={variable} className={classes.pair}>
          <Select
            aria-label={t("graphs.outputVariable", { name: variable })}
            data={[...new Set([variable, ...variables.filter((name) => !used.includes(name))])]}
            value={variable}
            readOnly={locked}
            onChange={(next) => next && next !== variable && edit(renameKey([...base, variable], next))}
          />
          <Autocomplete
            aria-label={t("graphs.outputPath", { name: variable })}
            data={paths}
            value={path}
            readOnly={locked}
            placeholder="text"
            onChange={(next) => edit(put([...base, variable], next), `${base.join(".")}.${variable}`)}
          />
          {!locked && (
            <Tooltip label={t("form.remove", { name: variable })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t("form.remove", { name: variable })}
                onClick={() => edit(put([...base, variable], null))}
              >
                <IconTrash size={15} />
              </ActionIcon>
            </Tooltip>
          )}
        </div>
      ))}
      {!locked && (
        <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={add}>
          {t("graphs.addOutput")}
        </Button>
      )}
    </fieldset>
  );
}
