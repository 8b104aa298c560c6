import { ActionIcon, Autocomplete, Button, defaultOptionsFilter, Tooltip } from "@mantine/core";
import { IconArrowRight, IconPlus, IconTrash } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { LockableSelect } from "@/shared/ui/LockableSelect";
import { Said } from "@/shared/ui/Said";
import { type GraphNode, pathText } from "../../document/graph";
import { addNamedVariable, put, renameKey, together } from "../../document/graphEdits";
import { freeName, variableFrom } from "../../document/names";
import { outputsOf, typeOfState } from "../../document/outputs";
import { useCalls, useEditor, useGraph } from "../context";
import { useFindings } from "../warnings";
import classes from "../Editor.module.css";
import { useSources } from "./sources";

/** No variable has this name. */
const NEW = "+";

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
  /** A new variable for an output, named after it. */
  const made = ({ path, type }: { path: string; type: string }) => {
    const name = freeName(variableFrom(path), new Set(variables));
    return { name, edit: addNamedVariable(name, type === "any" ? "str" : type) };
  };
  const add = () => {
    const taken = node.outputs.map(([, path]) => path);
    const left = outputs.filter(({ path }) => !taken.includes(path));
    // What the run was given is not to be written over by chance.
    const free = graph.state.filter(({ name }) => !used.includes(name) && !graph.inputs.includes(name));
    const first = left.find(({ path }) => path.startsWith("variables/")) ??
      left[0] ??
      outputs[0] ?? { path: "text", type: "str" };
    const named = left.find(({ path }) => free.some(({ name }) => name === path.split("/").at(-1)));
    const next = named ?? first;
    const ofType = free.find(({ type }) => typeOfState(type) === first.type);
    // An output whose type nobody knows is most likely for the one variable that no step writes yet.
    const written = new Set(graph.nodes.flatMap((one) => one.outputs.map(([name]) => name)));
    const unwritten = free.filter(({ name }) => !written.has(name));
    const only = first.type === "any" && unwritten.length === 1 ? unwritten[0] : undefined;
    const fits = named ? named.path.split("/").at(-1) : (ofType ?? only)?.name;
    const speaks = node.call === "LLM" && !used.includes("messages");
    if (speaks) edit(put([...base, "messages"], "text"));
    else if (fits) edit(put([...base, fits], next.path));
    else {
      const { name, edit: variable } = made(next);
      edit(together(variable, put([...base, name], next.path)));
    }
  };
  /** For what the step doesn't put out: what ends with it, as `variables/step1/status` does with `status`. */
  const meant = (path: string) => {
    const one = path && !paths.includes(path) ? paths.find((known) => known.endsWith(`/${path}`)) : undefined;
    return one && t("graphs.outputMeant", { path: one });
  };
  const { warnings } = useFindings();
  const doubt = (variable: string) => warnings.find(({ path }) => path === pathText([...base, variable]))?.message;
  const pick = (variable: string, path: string, next: string) => {
    if (next !== NEW) return edit(renameKey([...base, variable], next));
    const type = outputs.find((one) => one.path === path)?.type ?? "str";
    const { name, edit: addition } = made({ path, type });
    return edit(together(addition, renameKey([...base, variable], name)));
  };
  return (
    <fieldset className={classes.rows}>
      <legend>{t("graphs.outputs")}</legend>
      <p className="muted small">{t("graphs.outputsHint")}</p>
      {node.outputs.map(([variable, path]) => (
        <div key={variable} className={classes.output}>
          <Autocomplete
            aria-label={t("graphs.outputPath", { name: variable })}
            data={paths}
            value={path}
            readOnly={locked}
            placeholder="text"
            error={path === "" ? t("graphs.outputEmpty") : undefined}
            description={meant(path) ?? (doubt(variable) && <Said text={doubt(variable)!} />)}
            data-path={pathText([...base, variable])}
            data-likely={doubt(variable) !== undefined || undefined}
            className={classes.likely}
            inputWrapperOrder={["label", "input", "description", "error"]}
            // What stands there is no search: all there is to pick is shown.
            filter={({ options, search, limit }) =>
              paths.includes(search) ? options : (defaultOptionsFilter({ options, search, limit }) as typeof options)
            }
            onChange={(next) => edit(put([...base, variable], next), `${base.join(".")}.${variable}`)}
          />
          <div className="row">
            <IconArrowRight size={16} className="muted" aria-hidden="true" />
            <LockableSelect
              className="grow"
              aria-label={t("graphs.outputVariable", { name: variable })}
              data={[
                ...[...new Set([variable, ...variables.filter((name) => !used.includes(name))])].map((name) => ({
                  value: name,
                  label: name,
                })),
                { value: NEW, label: t("graphs.newVariable") },
              ]}
              value={variable}
              readOnly={locked}
              onChange={(next) => next && next !== variable && pick(variable, path, next)}
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
