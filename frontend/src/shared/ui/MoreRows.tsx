import { Button, type ButtonProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Pages } from "@/shared/hooks/usePages";

interface Props extends Pick<ButtonProps, "variant"> {
  of: Pick<Pages<unknown>, "hasNextPage" | "isFetchingNextPage" | "fetchNextPage">;
}

/** Reads the next page of a list, where there is one. */
export function MoreRows({ of, variant = "default" }: Props) {
  const { t } = useTranslation();
  if (!of.hasNextPage) return null;
  return (
    <Button variant={variant} loading={of.isFetchingNextPage} onClick={() => void of.fetchNextPage()}>
      {t("common.more")}
    </Button>
  );
}
