import { Button } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useFormat } from "@/shared/hooks/useFormat";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { type CutValue, isCut } from "../fold";
import { valueRead } from "../requests/valueRead";

export interface WholeText {
  text: string;
  cut: CutValue | null;
  fetchAll: () => void;
  pending: boolean;
  error: unknown;
}

/** A text that may have come as its beginning only, and how to get the rest. */
export function useWholeText(run: string, value: string | CutValue | null | undefined): WholeText {
  const cut = isCut(value) ? value : null;
  const wanted = cut ? { run: cut.run ?? run, key: cut.value } : null;
  const fetching = useMutation({ mutationFn: (of: { run: string; key: string }) => valueRead(of.run, of.key) });
  // Another value may stand here since: what was fetched is the whole of one.
  const fits = fetching.variables?.run === wanted?.run && fetching.variables?.key === wanted?.key;
  const whole = cut && fits ? fetching.data : undefined;
  return {
    text: whole ?? (cut ? cut.head : typeof value === "string" ? value : ""),
    cut: whole === undefined ? cut : null,
    fetchAll: () => wanted && fetching.mutate(wanted),
    pending: fits && fetching.isPending,
    error: fits ? fetching.error : null,
  };
}

export function ShowAll({ whole }: { whole: WholeText }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!whole.cut) return null;
  return (
    <div className="row" style={{ flexWrap: "wrap" }}>
      <span className="muted small">{t("run.cut", { size: format.size(whole.cut.size) })}</span>
      <Button variant="default" size="compact-xs" loading={whole.pending} onClick={whole.fetchAll}>
        {t("run.showAll")}
      </Button>
      <ErrorLine error={whole.error} />
    </div>
  );
}
