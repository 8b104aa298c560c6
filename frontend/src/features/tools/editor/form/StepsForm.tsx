import { Button, Modal } from "@mantine/core";
import { IconClipboardText, IconPlus } from "@tabler/icons-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Path } from "@/shared/yaml/plain";
import { usesOfStep } from "../../document/references";
import { pathText } from "../../document/tool";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { useCurlNews } from "../../curl/curlCommand";
import { useEditor } from "../EditorContext";
import { useCurl } from "./CurlContext";
import { CurlDialog } from "./CurlDialog";
import { useAdd, useForm, useToolForm } from "./FormContext";
import { Section } from "./Section";
import { edgesOf, FlowLines, flowWidth } from "./FlowLines";
import { type StepActions, StepCard } from "./StepCard";
import curlClasses from "./Curl.module.css";
import classes from "./Form.module.css";

const PLACES: Record<
  string,
  "form.url" | "form.headers" | "form.query" | "form.body" | "form.result" | "form.next" | "form.variables"
> = {
  url: "form.url",
  headers: "form.headers",
  query: "form.query",
  body: "form.body",
  result: "form.result",
  next: "form.next",
  var: "form.variables",
};

/** Says what hangs on a step before it goes. */
function RemoveStep({ step, onClose, onRemove }: { step: number; onClose: () => void; onRemove: () => void }) {
  const { t } = useTranslation();
  const form = useToolForm();
  const uses = usesOfStep(form, step);
  const placeName = ([, n, field]: Path) => {
    const name = PLACES[String(field)];
    return `${t("form.stepN", { n: Number(n) })} · ${name ? t(name) : String(field)}`;
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={t("form.removeStepTitle", { n: step })}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <p>{t("form.removeStepUses", { count: uses.length })}</p>
      <ul>
        {uses.map((path) => (
          <li key={pathText(path)}>{placeName(path)}</li>
        ))}
      </ul>
      <p className="muted">{t("form.removeStepEmptied")}</p>
      <div className="row" style={{ justifyContent: "flex-end", marginTop: 16 }}>
        <Button variant="default" onClick={onClose}>
          {t("common.cancel")}
        </Button>
        <Button color="red" onClick={onRemove} data-autofocus>
          {t("form.removeStep")}
        </Button>
      </div>
    </Modal>
  );
}

/** The chain of requests, as cards in their order. */
export function StepsForm() {
  const { t } = useTranslation();
  const { edit, readOnly } = useForm();
  const add = useAdd();
  const form = useToolForm();
  const jump = useEditor((state) => state.jump);
  const [closed, setClosed] = useState<ReadonlySet<number>>(
    () => new Set(form.steps.length > 3 ? form.steps.keys() : []),
  );
  const [dragged, setDragged] = useState<number | null>(null);
  const [removing, setRemoving] = useState<number | null>(null);
  const [pasting, setPasting] = useState(false);
  const closeDialog = useCallback(() => setPasting(false), []);
  const curl = useCurl();
  const count = form.steps.length;
  const list = useRef<HTMLOListElement>(null);
  const edges = useMemo(() => edgesOf(form.steps), [form.steps]);

  const news = useCurlNews((state) => state.news);
  const told = useRef(news);
  useEffect(() => {
    if (news === told.current) return;
    told.current = news;
    if (news?.inserted) setClosed((now) => new Set([...now].map((n) => (n >= news.step ? n + 1 : n))));
  }, [news]);
  useEffect(() => {
    const step = jump?.to === "form" ? /^steps\[(\d+)\]/.exec(jump.path)?.[1] : undefined;
    if (step === undefined) return;
    setClosed((now) => new Set([...now].filter((n) => n !== Number(step))));
  }, [jump]);

  const toggle = (index: number) =>
    setClosed((now) => {
      const next = new Set(now);
      if (!next.delete(index)) next.add(index);
      return next;
    });
  const follow = (where: (n: number) => number | null) => {
    useCurlNews.getState().tell(null);
    setClosed((now) => new Set([...now].map(where).filter((n) => n !== null)));
  };
  const move = (from: number, to: number) => {
    if (to < 0 || to >= count || to === from || !edit({ do: "move", path: ["steps"], from, to })) return;
    follow((n) => (n === from ? to : from < n && n <= to ? n - 1 : to <= n && n < from ? n + 1 : n));
  };
  const insert = (index: number) => {
    if (add({ do: "addStep", index }, ["steps", index, "url"])) follow((n) => (n >= index ? n + 1 : n));
  };
  const remove = (index: number) => {
    if (edit({ do: "remove", path: ["steps", index] })) follow((n) => (n === index ? null : n > index ? n - 1 : n));
  };
  const askRemove = (index: number) => (usesOfStep(form, index).length > 0 ? setRemoving(index) : remove(index));
  const latest = useRef({ toggle, move, insert, askRemove });
  useEffect(() => {
    latest.current = { toggle, move, insert, askRemove };
  });
  const actions: StepActions = useMemo(
    () => ({
      toggle: (index) => latest.current.toggle(index),
      move: (from, to) => latest.current.move(from, to),
      insert: (index) => latest.current.insert(index),
      remove: (index) => latest.current.askRemove(index),
      drag: setDragged,
    }),
    [],
  );
  return (
    <Section title={t("form.steps")} hint={count === 0 ? t("form.stepsHint") : undefined}>
      <div className={classes.chain} style={{ paddingLeft: flowWidth(edges) }}>
        <ol className={classes.steps} ref={list}>
          {form.steps.map((step, index) => (
            <StepCard
              key={index}
              step={step}
              index={index}
              count={count}
              open={!closed.has(index)}
              dragged={dragged}
              actions={actions}
            />
          ))}
        </ol>
        <FlowLines list={list} edges={edges} />
      </div>
      {!readOnly && (
        <>
          <div className={curlClasses.buttons}>
            <Button variant="default" leftSection={<IconPlus size={14} />} onClick={() => insert(count)}>
              {t("form.addStep")}
            </Button>
            <Button
              variant="subtle"
              color="gray"
              leftSection={<IconClipboardText size={14} />}
              loading={curl.pending && !pasting}
              onClick={() => setPasting(true)}
            >
              {t("curl.paste")}
            </Button>
          </div>
          {!pasting && curl.errorAt === null && <ErrorLine error={curl.error} />}
          {pasting && <CurlDialog at={count} onClose={closeDialog} />}
        </>
      )}
      {removing !== null && (
        <RemoveStep
          step={removing}
          onClose={() => setRemoving(null)}
          onRemove={() => {
            remove(removing);
            setRemoving(null);
          }}
        />
      )}
    </Section>
  );
}
