import { ActionIcon, Menu, ScrollArea, Tooltip } from "@mantine/core";
import {
  IconArrowBarToRight,
  IconBraces,
  IconDatabase,
  type Icon,
  IconKey,
  IconList,
  IconMessage,
} from "@tabler/icons-react";
import { useState } from "react";
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
/** From this many on there is a field to search in. */
const MANY = 9;

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
  return (
    <Menu withinPortal returnFocus={false} position="bottom-end" width={300}>
      <Menu.Target>
        <Tooltip label={t("form.insertReferenceShort")}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="sm"
            aria-label={t("form.insertReference", { field: props.field })}
          >
            <IconBraces size={15} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <References {...props} />
      </Menu.Dropdown>
    </Menu>
  );
}

function References({ node, expression, onPick }: Props) {
  const { t } = useTranslation();
  const { graph } = useGraph();
  const calls = useCalls();
  const sources = useSources(graph.nodes);
  const [search, setSearch] = useState("");
  const written = referencesFor(graph, node, calls, sources).map((one) => ({
    ...one,
    text: expression ? expressionFor(one) : one.text,
  }));
  const all = written.filter((one): one is Reference => one.text !== null);
  const wanted = search.trim().toLowerCase();
  const list = all.filter(({ name, step }) => `${step ?? ""} ${name}`.toLowerCase().includes(wanted));
  const titleOf = (step: string) => graph.nodes.find(({ name }) => name === step)?.label || step;
  const groups = REFERENCE_KINDS.flatMap((kind) => {
    const some = list.filter((one) => one.kind === kind);
    if (kind !== "node") return [{ key: kind as string, title: t(`graphs.references.${kind}`), some }];
    return [...new Set(some.map(({ step }) => step!))].map((step) => ({
      key: `node ${step}`,
      title: t("graphs.referencesOf", { name: titleOf(step) }),
      some: some.filter((one) => one.step === step),
    }));
  });
  return (
    <>
      {all.length >= MANY && (
        <Menu.Search
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
          placeholder={t("graphs.searchValues")}
          aria-label={t("graphs.searchValues")}
        />
      )}
      <ScrollArea.Autosize mah={320}>
        {groups.map(({ key, title, some }) =>
          some.length === 0 ? null : (
            <div key={key} role="group" aria-label={title}>
              <Menu.Label>{title}</Menu.Label>
              {some.map(({ text, kind, name, step, type }) => {
                const call = graph.nodes.find((one) => one.name === step)?.call;
                const Kind = kind === "node" ? iconOf(call ?? "") : ICONS[kind];
                return (
                  <Menu.Item
                    key={text}
                    title={text}
                    leftSection={<Kind size={15} className="muted" aria-hidden="true" />}
                    rightSection={type !== "any" && <span className="muted small">{t(`graphs.types.${type}`)}</span>}
                    onClick={() => onPick(text)}
                  >
                    <span className={classes.referenceName}>{name.replaceAll("/", " › ")}</span>
                  </Menu.Item>
                );
              })}
            </div>
          ),
        )}
        {list.length === 0 && <p className="muted small">{t("graphs.nothingFits")}</p>}
      </ScrollArea.Autosize>
    </>
  );
}
