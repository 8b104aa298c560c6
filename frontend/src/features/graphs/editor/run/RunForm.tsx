import { Button, Select, Textarea, TextInput } from "@mantine/core";
import { IconBug, IconPlayerPlayFilled } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { environmentList } from "@/features/environments/requests/environmentList";
import { useSession } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { graphRun } from "../../requests/graphRequests";
import { useEditor, useEditorHandle, useGraph, useUi } from "../context";
import classes from "../Editor.module.css";

interface Asked {
  name: string;
  type: string;
  description: string;
}

type Parsed =
  { ok: true; value: unknown } | { ok: false; why: "run.wantsInteger" | "run.wantsNumber" | "graphs.notJson" };

/** What was typed, as the type that the variable has. */
function parsed(type: string, text: string): Parsed {
  if (type === "int")
    return /^-?\d{1,15}$/.test(text) ? { ok: true, value: Number(text) } : { ok: false, why: "run.wantsInteger" };
  if (type === "float") {
    const fits = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(text);
    return fits ? { ok: true, value: Number(text) } : { ok: false, why: "run.wantsNumber" };
  }
  if (type === "bool") return { ok: true, value: text === "true" };
  if (["list", "dict", "tuple"].includes(type)) {
    try {
      return { ok: true, value: JSON.parse(text) as unknown };
    } catch {
      return { ok: false, why: "graphs.notJson" };
    }
  }
  return { ok: true, value: text };
}

function load(key: string): { values: Record<string, string>; environment: string | null } {
  try {
    return { values: {}, environment: null, ...(JSON.parse(localStorage.getItem(key) ?? "{}") as object) };
  } catch {
    return { values: {}, environment: null };
  }
}

function Field({ asked, value, onChange }: { asked: Asked; value: string; onChange: (text: string) => void }) {
  const { t } = useTranslation();
  const result = value === "" ? null : parsed(asked.type, value);
  const shared = {
    label: asked.name,
    description: asked.description || undefined,
    error: result && !result.ok ? t(result.why) : undefined,
  };
  if (asked.type === "bool")
    return (
      <Select
        {...shared}
        data={["true", "false"]}
        value={value || null}
        clearable
        placeholder={t("run.notGiven")}
        clearButtonProps={{ "aria-label": t("common.clear") }}
        onChange={(next) => onChange(next ?? "")}
      />
    );
  if (asked.type === "int" || asked.type === "float")
    return (
      <TextInput
        {...shared}
        value={value}
        inputMode="decimal"
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  const json = ["list", "dict", "tuple"].includes(asked.type);
  return (
    <Textarea
      {...shared}
      value={value}
      autosize
      minRows={json ? 3 : 1}
      maxRows={8}
      placeholder={json ? (asked.type === "dict" ? "{}" : "[]") : undefined}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The inputs that the graph asks for, and the start of a run. */
export function RunForm({ onRun }: { onRun: (run: string) => void }) {
  const { t } = useTranslation();
  const { store, saver } = useEditorHandle();
  const queries = useQueryClient();
  const readOnly = useEditor((state) => state.readOnly);
  const problems = useEditor((state) => state.problems.length);
  const name = useEditor((state) => state.draft.name);
  const { graph } = useGraph();
  const key = `workbench.inputs.${useSession()?.username ?? ""}.graph.${name}`;
  const [stored, setStored] = useState(() => load(key));
  const change = (next: typeof stored) => {
    localStorage.setItem(key, JSON.stringify(next));
    setStored(next);
  };
  const environments = useQuery({ queryKey: ["environments"], queryFn: () => environmentList() });
  const breakpoints = useUi((state) => state.breakpoints);
  const stops = graph.nodes.filter(({ name: one }) => breakpoints.has(one)).map(({ name: one }) => ({ node: one }));
  const names = environments.data?.results.map((one) => one.name) ?? [];
  const environment = stored.environment && names.includes(stored.environment) ? stored.environment : null;
  const asked: Asked[] = graph.inputs.map((input) => {
    const variable = graph.state.find((one) => one.name === input);
    if (input === "messages") return { name: input, type: "message", description: t("graphs.question") };
    return { name: input, type: variable?.type ?? "str", description: variable?.description ?? "" };
  });
  const given = asked.filter((one) => (stored.values[one.name] ?? "") !== "");
  const wrong = given.some((one) => !parsed(one.type, stored.values[one.name]!).ok);
  const start = useMutation({
    mutationFn: async (mode: "run" | "debug") => {
      if (!readOnly && !(await saver.flush())) throw new Error(t("save.runNeedsSave"));
      const inputs = given.map(({ name: input, type }): [string, unknown] => {
        const text = stored.values[input]!;
        if (type === "message") return [input, [{ role: "user", content: text }]];
        const result = parsed(type, text);
        return [input, result.ok ? result.value : text];
      });
      return graphRun(store.getState().draft.name, {
        inputs: Object.fromEntries(inputs),
        ...(environment ? { environment } : {}),
        ...(readOnly ? {} : { revision: saver.revision }),
        mode,
        ...(mode === "debug" ? { breakpoints: stops } : {}),
      });
    },
    onSuccess: ({ run }) => {
      void queries.invalidateQueries({ queryKey: ["graphs", "list"] });
      onRun(run);
    },
  });
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("textarea, input, button")?.focus(), []);
  return (
    <>
      <div className={classes.inspectorHead}>
        <IconPlayerPlayFilled size={16} aria-hidden="true" />
        <h2 className="grow">{t("run.run")}</h2>
      </div>
      <form
        ref={form}
        className={classes.fields}
        aria-label={t("run.arguments")}
        onSubmit={(event) => {
          event.preventDefault();
          if (!wrong) start.mutate("run");
        }}
      >
        {asked.length === 0 && <p className="muted">{t("graphs.noInputs")}</p>}
        {asked.map((one) => (
          <Field
            key={one.name}
            asked={one}
            value={stored.values[one.name] ?? ""}
            onChange={(text) => change({ ...stored, values: { ...stored.values, [one.name]: text } })}
          />
        ))}
        {names.length > 0 && (
          <Select
            label={t("run.environment")}
            data={names}
            value={environment}
            clearable
            placeholder={t("run.noEnvironment")}
            clearButtonProps={{ "aria-label": t("common.clear") }}
            onChange={(next) => change({ ...stored, environment: next })}
          />
        )}
        {problems > 0 && <p className={classes.problem}>{t("graphs.mendFirst", { count: problems })}</p>}
        <ErrorLine error={start.error} />
        <div className="row">
          <Button
            type="submit"
            leftSection={<IconPlayerPlayFilled size={14} />}
            loading={start.isPending && start.variables === "run"}
            disabled={wrong}
          >
            {t("graphs.startRun")}
          </Button>
          <Button
            variant="default"
            leftSection={<IconBug size={15} />}
            loading={start.isPending && start.variables === "debug"}
            disabled={wrong}
            onClick={() => start.mutate("debug")}
          >
            {t("graphs.debug")}
          </Button>
        </div>
        <p className="muted small">{t("graphs.debugHint")}</p>
      </form>
    </>
  );
}
