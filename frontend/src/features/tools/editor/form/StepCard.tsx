import { IconArrowRight, IconChevronRight, IconCornerDownRight, IconFlag, IconGripVertical } from "@tabler/icons-react";
import { type DragEvent, type KeyboardEvent, memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { StepForm } from "../../document/tool";
import { useForm } from "./FormContext";
import { sameEntry } from "./sameEntry";
import { StepBody } from "./StepBody";
import { StepMenu } from "./StepMenu";
import { stepTitle } from "./stepTitle";
import classes from "./Form.module.css";

interface Props {
  step: StepForm;
  index: number;
  count: number;
  open: boolean;
  /** The step that is being dragged, or null. */
  dragged: number | null;
  actions: StepActions;
}

/** What cards do to the list; the same object all along. */
export interface StepActions {
  toggle: (index: number) => void;
  move: (from: number, to: number) => void;
  insert: (index: number) => void;
  remove: (index: number) => void;
  drag: (index: number | null) => void;
}

/** Where the chain goes on from this step. */
function Flow({ step, index, count }: { step: StepForm; index: number; count: number }) {
  const { t } = useTranslation();
  const jumps = step.vars.flatMap(({ name, missing }) =>
    missing.kind === "jump"
      ? [t("form.flow.jump", { name: name.text, n: missing.target.text })]
      : missing.kind === "abort"
        ? [t("form.flow.abort", { name: name.text })]
        : [],
  );
  const ends = step.result.kind !== "absent";
  const onward = ends
    ? t("form.flow.result")
    : step.next.kind !== "absent"
      ? t("form.flow.next", { n: step.next.text })
      : index === count - 1
        ? t("form.flow.last")
        : null;
  if (!onward && jumps.length === 0) return null;
  return (
    <div className={classes.flow}>
      {jumps.map((text) => (
        <span key={text}>
          <IconCornerDownRight size={13} aria-hidden="true" />
          {text}
        </span>
      ))}
      {onward && (
        <span>
          {ends ? <IconFlag size={13} aria-hidden="true" /> : <IconArrowRight size={13} aria-hidden="true" />}
          {onward}
        </span>
      )}
    </div>
  );
}

export const StepCard = memo(function StepCard({ step, index, count, open, dragged, actions }: Props) {
  const { t } = useTranslation();
  const { readOnly, problems } = useForm();
  const [over, setOver] = useState<"before" | "after" | null>(null);
  const name = t("form.stepN", { n: index });
  const faulty = [...problems.keys()].some((path) => path.startsWith(`steps[${index}]`));
  const move = (to: number) => actions.move(index, to);
  const onKeyDown = (event: KeyboardEvent) => {
    if (!event.altKey || readOnly || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    event.preventDefault();
    move(event.key === "ArrowUp" ? index - 1 : index + 1);
  };
  const onDragOver = (event: DragEvent<HTMLLIElement>) => {
    if (dragged === null) return;
    event.preventDefault();
    const box = event.currentTarget.getBoundingClientRect();
    setOver(event.clientY < box.top + box.height / 2 ? "before" : "after");
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    if (dragged !== null) {
      const to =
        (over === "before" ? index : index + 1) - (dragged < index || (dragged === index && over === "after") ? 1 : 0);
      actions.move(dragged, to);
    }
    setOver(null);
    actions.drag(null);
  };
  return (
    <li
      className={`${classes.card} ${classes.step}`}
      data-over={(dragged !== null && dragged !== index && over) || undefined}
      aria-label={name}
      data-dragging={dragged === index || undefined}
      onDragOver={onDragOver}
      onDragLeave={() => setOver(null)}
      onDrop={onDrop}
      data-path={`steps[${index}]`}
    >
      <div className={classes.stepHead}>
        {!readOnly && count > 1 ? (
          <span
            className={classes.grip}
            draggable
            title={t("form.drag")}
            aria-hidden="true"
            onDragEnd={() => actions.drag(null)}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = "move";
              event.dataTransfer.setData("text/plain", String(index));
              actions.drag(index);
            }}
          >
            <IconGripVertical size={16} />
          </span>
        ) : (
          <span style={{ width: 8 }} />
        )}
        <button
          type="button"
          className={classes.open}
          aria-expanded={open}
          onClick={() => actions.toggle(index)}
          onKeyDown={onKeyDown}
          aria-label={`${name}: ${step.method.text || "GET"} ${stepTitle(step, t("form.noUrl"))}`}
        >
          <IconChevronRight size={16} className={classes.chevron} aria-hidden="true" />
          <span
            className={classes.number}
            style={faulty ? { color: "var(--wb-red)", background: "var(--wb-red-soft)" } : undefined}
          >
            {index}
          </span>
          <span className={classes.method}>{step.method.text || "GET"}</span>
          <span className="truncate mono">{stepTitle(step, t("form.noUrl"))}</span>
        </button>
        <StepMenu
          index={index}
          count={count}
          onMove={move}
          onInsert={actions.insert}
          onRemove={() => actions.remove(index)}
        />
      </div>
      {open ? (
        <StepBody step={step} index={index} last={index === count - 1} />
      ) : (
        <Flow step={step} index={index} count={count} />
      )}
    </li>
  );
}, sameEntry);
