import { useTranslation } from "react-i18next";
import { useSay } from "@/shared/i18n/sentences";

/** What the engine says in one language only, since its text is part of its contract. */
const NOT_FOUND = /变量 (\S+) 提取失败/;

/**
 * A sentence of the server's, in the reader's language where it is known; what stands between backticks is shown as
 * code. Text stays text.
 */
export function Said({ text }: { text: string }) {
  const { t } = useTranslation();
  const say = useSay();
  const said = say(text).replace(NOT_FOUND, (_, name: string) => t("runError.notFound", { name }));
  const parts = said.split(/`([^`\n]*)`/);
  return parts.map((part, index) => (index % 2 ? part && <code key={index}>{part}</code> : part));
}
