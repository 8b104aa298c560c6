import type { StepForm } from "../../document/tool";

/** The fact about a step that matters: where it goes, without scheme and host where they are long. */
export function stepTitle(step: StepForm, otherwise: string): string {
  const url = step.url.text.replace(/^https?:\/\//, "");
  return url || otherwise;
}
