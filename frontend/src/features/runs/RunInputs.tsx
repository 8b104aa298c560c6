import classes from "@/shared/ui/Table.module.css";

/** The beginning of what a run was given, by which people tell runs apart. */
export function RunInputs({ text }: { text: string | null }) {
  if (!text) return null;
  return (
    <div className={`small muted truncate ${classes.inputs}`} title={text}>
      {text}
    </div>
  );
}
