import type { ComponentProps } from "react";
import classes from "./LinkButton.module.css";

/** A button that reads as a link, inside of a text or below it. */
export function LinkButton(props: Omit<ComponentProps<"button">, "type" | "className">) {
  return <button type="button" className={classes.link} {...props} />;
}
