import { ActionIcon, Popover, TextInput, Tooltip } from "@mantine/core";
import {
  IconArrowBarToRight,
  IconBraces,
  IconDatabase,
  type Icon,
  IconKey,
  IconList,
  IconMessage,
  IconSearch,
} from "@tabler/icons-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { iconOf } from "../../canvas/kinds";
import { expressionFor, type Reference, REFERENCE_KINDS, referencesFor } from "../../document/references";
import { useCalls, useGraph } from "../context";
import classes from "../Editor.module.css";
import { useSources } from "./sources";

const ICONS: Record<Exclude<Reference["kind"], "node">, Icon> = {
  item: IconList,
  state: IconDatabase,
  input: IconArrowBarToRight,
  sys: IconMessage,
  env: IconKey,
};
interface Props {
  /** The step at which it is written; empty for the graph itself. */
  node: string;
  field: string;
  /** Written in an expression, not in a text. */
  expression?: boolean;
  onPick: (text: string) => void;
}

/** What can be referred to at a step; a pick goes in at the caret. */
export function ReferenceMenu(props: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={300}
      shadow="md"
      withinPortal
      withRoles={false}
    >
      <Popover.Target>
        <Tooltip label={t("form.insertReferenceShort")} disabled={open}>
          <ActionIcon
            ref={button}
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("form.insertReference", { field: props.field })}
            aria-haspopup="dialog"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown p={8} role="dialog" aria-label={t("form.insertReference", { field: props.field })}>
        <References
          {...props}
          onPick={(text) => {
            setOpen(false);
            props.onPick(text);
          }}
          onClose={() => {
            setOpen(false);
            button.current?.focus();
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
}

/** The list behind the button: found by a few letters, gone through by arrow keys. */
function References({ node, expression, onPick, onClose }: Props & { onClose: () => void }) {
  const { t } = useTranslation();
  const { graph } = useGraph();
  const calls = useCalls();
  const sources = useSources(graph.nodes);
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const variables = new Set(graph.state.map(({ name }) => name));
  const written = referencesFor(graph, node, calls, sources)
    // An input is the variable of its name: to be picked once.
    .filter(({ kind, name }) => kind !== "input" || !variables.has(name))
    .map((one) => ({ ...one, text: expression ? expressionFor(one) : one.text }));
  const wanted = search.trim().toLowerCase();
  const list = written
    .filter((one): one is Reference => one.text !== null)
    .filter(({ name, step }) => `${step ?? ""} ${name}`.toLowerCase().includes(wanted));
  const titleOf = (step: string) => graph.nodes.find(({ name }) => name === step)?.label || step;
  const groups = REFERENCE_KINDS.flatMap((kind) => {
    const some = list.filter((one) => one.kind === kind);
    if (kind !== "node") return [{ key: kind as string, title: t(`graphs.references.${kind}`), some }];
    return [...new Set(some.map(({ step }) => step!))].map((step) => ({
      key: `node ${step}`,
      title: t("graphs.referencesOf", { name: titleOf(step) }),
      some: some.filter((one) => one.step === step),
    }));
  }).filter(({ some }) => some.length > 0);
  const shown = groups.flatMap(({ some }) => some);
  const current = Math.min(at, shown.length - 1);
  const go = (to: number) => {
    setAt(to);
    document.getElementById(`${id}-${to}`)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === "ArrowDown") go(Math.min(current + 1, shown.length - 1));
    else if (event.key === "ArrowUp") go(Math.max(current - 1, 0));
    else if (event.key === "Enter" && shown[current]) onPick(shown[current].text);
    else if (event.key === "Escape") onClose();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        autoFocus
        size="xs"
        value={search}
        placeholder={t("graphs.searchValues")}
        aria-label={t("graphs.searchValues")}
        leftSection={<IconSearch size={14} />}
        role="combobox"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={shown[current] ? `${id}-${current}` : undefined}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setAt(0);
        }}
      />
      <div role="listbox" id={id} aria-label={t("graphs.searchValues")} className={classes.choices}>
        {groups.map(({ key, title, some }) => (
          <div key={key} role="group" aria-label={title}>
            <div className={`muted small ${classes.referenceGroup}`} aria-hidden="true">
              {title}
            </div>
            {some.map((one) => {
              const index = shown.indexOf(one);
              const call = graph.nodes.find(({ name }) => name === one.step)?.call;
              const Kind = one.kind === "node" ? iconOf(call ?? "") : ICONS[one.kind];
              return (
                <div
                  key={one.text}
                  id={`${id}-${index}`}
                  role="option"
                  aria-selected={index === current}
                  className={classes.choice}
                  title={one.text}
                  onMouseMove={() => setAt(index)}
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => onPick(one.text)}
                >
                  <Kind size={15} aria-hidden="true" />
                  <span className={classes.referenceName}>{one.name.replaceAll("/", " › ")}</span>
                  {one.type !== "any" && <span className="muted small">{t(`graphs.types.${one.type}`)}</span>}
                </div>
              );
            })}
          </div>
        ))}
        {shown.length === 0 && <p className="muted small">{t("graphs.nothingFits")}</p>}
      </div>
    </>
  );
}
