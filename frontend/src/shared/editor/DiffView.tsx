import { diffLines } from "diff";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import classes from "./Diff.module.css";

interface Row {
  left: { n: number; text: string } | null;
  right: { n: number; text: string } | null;
  kind: "same" | "changed";
}

const linesOf = (text: string) => text.replace(/\r?\n$/, "").split(/\r?\n/);

/** Two texts line by line, what belongs together beside each other. */
export function rowsOf(left: string, right: string): Row[] {
  const rows: Row[] = [];
  let a = 0;
  let b = 0;
  let removed: string[] = [];
  let added: string[] = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i += 1) {
      const [gone, come] = [removed[i], added[i]];
      rows.push({
        kind: "changed",
        left: gone === undefined ? null : { n: (a += 1), text: gone },
        right: come === undefined ? null : { n: (b += 1), text: come },
      });
    }
    removed = [];
    added = [];
  };
  for (const part of diffLines(left, right)) {
    if (part.removed) removed.push(...linesOf(part.value));
    else if (part.added) added.push(...linesOf(part.value));
    else {
      flush();
      for (const text of linesOf(part.value))
        rows.push({ kind: "same", left: { n: (a += 1), text }, right: { n: (b += 1), text } });
    }
  }
  flush();
  return rows;
}

interface Props {
  left: string;
  right: string;
  leftName: string;
  rightName: string;
}

export function DiffView({ left, right, leftName, rightName }: Props) {
  const { t } = useTranslation();
  const rows = useMemo(() => rowsOf(left, right), [left, right]);
  const changed = rows.filter((row) => row.kind === "changed").length;
  return (
    <div
      className={classes.diff}
      tabIndex={0}
      role="region"
      aria-label={t("diff.title", { left: leftName, right: rightName })}
    >
      <table>
        <caption className="visually-hidden">{t("diff.lines", { count: changed })}</caption>
        <colgroup>
          <col className={classes.n} />
          <col />
          <col className={classes.n} />
          <col />
        </colgroup>
        <thead>
          <tr>
            <th scope="col" colSpan={2}>
              {leftName}
            </th>
            <th scope="col" colSpan={2}>
              {rightName}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              <td className={classes.n}>{row.left?.n}</td>
              <td
                className={classes.text}
                data-kind={row.kind === "changed" ? (row.left ? "gone" : "none") : undefined}
              >
                {row.kind === "changed" && row.left && <span aria-hidden="true">− </span>}
                {row.left?.text}
              </td>
              <td className={classes.n}>{row.right?.n}</td>
              <td
                className={classes.text}
                data-kind={row.kind === "changed" ? (row.right ? "come" : "none") : undefined}
              >
                {row.kind === "changed" && row.right && <span aria-hidden="true">+ </span>}
                {row.right?.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
