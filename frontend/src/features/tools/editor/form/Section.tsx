import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useForm } from "./FormContext";
import classes from "./Form.module.css";

interface Props {
  title: string;
  hint?: string;
  add?: string;
  onAdd?: () => void;
  children?: ReactNode;
}

export function Section({ title, hint, add, onAdd, children }: Props) {
  const { readOnly } = useForm();
  return (
    <section className={classes.section} aria-label={title}>
      <div className={classes.heading}>
        <h2>{title}</h2>
        {add && !readOnly && (
          <Button variant="subtle" size="compact-sm" leftSection={<IconPlus size={14} />} onClick={onAdd}>
            {add}
          </Button>
        )}
      </div>
      {hint && <p className="muted small">{hint}</p>}
      {children}
    </section>
  );
}
