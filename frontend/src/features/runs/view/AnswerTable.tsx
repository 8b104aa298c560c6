import { Select } from "@mantine/core";
import { type KeyboardEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type JsonNode, writeJson } from "@/shared/json/exact";
import { columnsOf, fieldOf, type ObjectList } from "@/shared/json/lists";
import { pathTo } from "@/shared/json/paths";
import { LinkButton } from "@/shared/ui/LinkButton";
import classes from "./AnswerTable.module.css";

const CHUNK = 100;
const LONGEST = 80;

/** A cell's text: a number as it was sent, what is long or nested as its beginning. */
function useCellText(): (node: JsonNode | undefined) => string {
  const { t } = useTranslation();
  return (node) => {
    if (!node) return "";
    if (node.kind === "array") return node.items.length ? t("tree.items", { count: node.items.length }) : "[]";
    if (node.kind === "object") return node.entries.length ? t("tree.fields", { count: node.entries.length }) : "{}";
    const text = node.kind === "string" ? node.value : writeJson(node);
    if (text === "") return '""';
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  };
}

const MOVES: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

interface CellProps {
  text: string;
  kind: string;
  path: string;
  at: [number, number];
  current: boolean;
  onTake?: (path: string) => void;
}

function Cell({ text, kind, path, at, current, onTake }: CellProps) {
  const shown = <span data-kind={kind}>{text}</span>;
  if (!onTake || kind === "none") return shown;
  return (
    <button type="button" title={path} data-at={at.join()} tabIndex={current ? 0 : -1} onClick={() => onTake(path)}>
      {shown}
    </button>
  );
}

interface Props {
  lists: ObjectList[];
  shown: ObjectList;
  onShow: (path: string) => void;
  /** A click on a cell, or on a column's name: the path in the answer. */
  onTake?: (path: string) => void;
}

/** A list of objects as rows and columns, a piece at a time. */
export function AnswerTable({ lists, shown, onShow, onTake }: Props) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(CHUNK);
  const [current, setCurrent] = useState("-1,0");
  const cellText = useCellText();
  const { names, more } = useMemo(() => columnsOf(shown.node), [shown.node]);
  const { items } = shown.node;
  const left = items.length - limit;
  const nameOf = (path: string) => path || t("run.tableRoot");
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>) => {
    const move = MOVES[event.key];
    const from = (event.target as HTMLElement).dataset.at?.split(",").map(Number);
    if (!move || !from) return;
    event.preventDefault();
    let [row, column] = from as [number, number];
    // Where an object lacks a field there is nothing to stop at.
    for (;;) {
      row += move[0];
      column += move[1];
      if (row < -1 || column < 0 || column >= names.length || row >= Math.min(limit, items.length)) return;
      const next = event.currentTarget.querySelector<HTMLElement>(`[data-at="${row},${column}"]`);
      if (!next) continue;
      setCurrent(`${row},${column}`);
      next.focus();
      return;
    }
  };
  return (
    <div className={classes.place}>
      <div className={classes.head}>
        {lists.length > 1 && (
          <Select
            size="xs"
            aria-label={t("run.tableOf")}
            data={lists.map(({ path, node }, index) => ({
              value: String(index),
              label: `${nameOf(path)} · ${node.items.length}`,
            }))}
            value={String(lists.indexOf(shown))}
            onChange={(index) => index !== null && onShow(lists[Number(index)]!.path)}
            allowDeselect={false}
          />
        )}
        <span className="muted small">{t("run.tableRows", { count: items.length })}</span>
        {onTake && <span className="muted small">{t("run.tableHint")}</span>}
      </div>
      <div className={classes.box} tabIndex={onTake ? undefined : 0} role="group" aria-label={t("run.answer")}>
        <table onKeyDown={onKeyDown} aria-label={nameOf(shown.path)}>
          <thead>
            <tr>
              <th scope="col" className={classes.number}>
                #
              </th>
              {names.map((name, column) => (
                <th key={name} scope="col">
                  <Cell
                    text={name === "" ? '""' : name}
                    kind="name"
                    path={pathTo(`${shown.path}[]`, name)}
                    at={[-1, column]}
                    current={current === `-1,${column}`}
                    onTake={onTake}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.slice(0, limit).map((item, row) => (
              <tr key={row}>
                <th scope="row" className={classes.number}>
                  {row}
                </th>
                {names.map((name, column) => {
                  const node = fieldOf(item, name);
                  return (
                    <td key={name}>
                      <Cell
                        text={cellText(node)}
                        kind={node?.kind ?? "none"}
                        path={pathTo(pathTo(shown.path, row), name)}
                        at={[row, column]}
                        current={current === `${row},${column}`}
                        onTake={onTake}
                      />
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {more > 0 && <p className="muted small">{t("run.tableMoreColumns", { count: more })}</p>}
      {left > 0 && (
        <LinkButton onClick={() => setLimit(limit + CHUNK)}>
          {t("tree.more", { count: Math.min(CHUNK, left), left })}
        </LinkButton>
      )}
    </div>
  );
}
