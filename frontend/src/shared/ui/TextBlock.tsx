import { CopyButton } from "./CopyButton";
import classes from "./TextBlock.module.css";

/** Text that a server or a tool said, as text and nothing else. */
export function TextBlock({ text, label }: { text: string; label: string }) {
  return (
    <div className={classes.block}>
      <pre aria-label={label} tabIndex={0} role="group">
        {text}
      </pre>
      <span className={classes.copy}>
        <CopyButton text={text} />
      </span>
    </div>
  );
}
