import type { ReactNode } from "react";
import { Logo } from "./Logo";
import classes from "./CentredCard.module.css";

export function CentredCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.card}>
        <Logo size={32} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}
