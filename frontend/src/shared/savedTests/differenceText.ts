import type { TFunction } from "i18next";
import type { Difference } from "@/shared/api/shapes";
import type { Say } from "@/shared/i18n/sentences";

/** Where it happened: a step of a tool, a node of a graph, or both. */
function place(difference: Difference, t: TFunction): string {
  const { node, step } = difference;
  if (step === null) return node ?? "";
  return node === null ? t("tests.step", { step }) : t("tests.stepOf", { step, node });
}

/** What differs, in the reader's language; what stood and stands there is shown beside it. */
export function differenceText(difference: Difference, t: TFunction): string {
  const where = place(difference, t);
  switch (difference.kind) {
    case "request":
      return t("tests.why.request", { where });
    case "no_answer":
      return t("tests.why.no_answer", { where });
    case "no_model":
      return t("tests.why.no_model", { where });
    case "no_person":
      return t("tests.why.no_person", { where });
    case "asked":
      return t("tests.why.asked", { where });
    case "answer":
      return t("tests.why.answer", { where });
    case "visit":
      return difference.path ? t("tests.why.visit", { after: difference.path }) : t("tests.why.first");
    case "missing":
      return t("tests.why.missing", { where });
    case "status":
      return difference.got ? t("tests.why.fails") : t("tests.why.finishes");
    case "error":
      return t("tests.why.error");
    case "output":
      return difference.path ? t("tests.why.value", { path: difference.path }) : t("tests.why.output");
    case "text":
      return t("tests.why.text");
    default:
      return difference.message;
  }
}

/** What was recorded and what comes now, where there is something to show. */
export function differenceSides(difference: Difference, t: TFunction, say: Say): { before?: string; now?: string } {
  const { kind, expected, got } = difference;
  const said = (error: string | null) => (error === null ? undefined : say(error));
  switch (kind) {
    case "missing":
    case "no_model":
    case "no_person":
      return {};
    case "status":
      return { before: said(expected) ?? t("tests.finished"), now: said(got) ?? t("tests.finished") };
    case "error":
      return { before: said(expected), now: said(got) };
    case "visit":
    case "output":
      return { before: expected ?? t("tests.nothing"), now: got ?? t("tests.nothing") };
    default:
      return { before: expected ?? undefined, now: got ?? undefined };
  }
}
