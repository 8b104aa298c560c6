import type { ReactNode } from "react";
import classes from "./Editor.module.css";

export function PaneHead({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={classes.paneHead}>
      <h2>{title}</h2>
      <div className="row">{children}</div>
    </div>
  );
}
