import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { callsQuery } from "@/features/graphs/requests/callList";

/** What the kind of a step is called where steps are added, in the reader's language. */
export function CallName({ call }: { call: string }) {
  const { i18n } = useTranslation();
  const calls = useQuery(callsQuery(i18n.language)).data;
  return <>{calls?.find(({ name }) => name === call)?.label ?? call}</>;
}
