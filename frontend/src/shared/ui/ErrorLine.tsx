import { IconAlertCircle } from "@tabler/icons-react";
import { Said } from "./Said";
import { useErrorText } from "./useErrorText";
import classes from "./ErrorLine.module.css";

/** One error, in place, in a plain sentence. */
export function ErrorLine({ error }: { error: unknown }) {
  const text = useErrorText(error);
  if (!text) return null;
  return (
    <div role="alert" className={classes.line}>
      <IconAlertCircle size={16} aria-hidden="true" />
      <span>
        <Said text={text} />
      </span>
    </div>
  );
}
