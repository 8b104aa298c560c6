import type { ReactNode } from "react";
import classes from "./PageFrame.module.css";

interface Props {
  title: string;
  actions?: ReactNode;
  intro?: ReactNode;
  children: ReactNode;
  narrow?: boolean;
}

/** A place's page: one heading, its actions at the right, the content below. */
export function PageFrame({ title, actions, intro, children, narrow }: Props) {
  return (
    <main className={narrow ? `${classes.page} ${classes.narrow}` : classes.page}>
      <header className={classes.header}>
        <div className="grow">
          <h1>{title}</h1>
          {intro && <p className="muted">{intro}</p>}
        </div>
        <div className="row">{actions}</div>
      </header>
      {children}
    </main>
  );
}
