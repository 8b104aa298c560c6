import { useTranslation } from "react-i18next";
import { useTitle } from "@/shared/hooks/useTitle";
import { useMay } from "@/shared/session/session";
import { PageFrame } from "@/shared/ui/PageFrame";
import { TokensSection } from "./TokensSection";
import { UsersSection } from "./UsersSection";

/** Who may use the workbench, and the tokens of oneself. */
export function PeoplePage() {
  const { t } = useTranslation();
  const mayUsers = useMay("users.write");
  useTitle(t(mayUsers ? "places.people" : "people.tokens"));
  return (
    <PageFrame
      title={t(mayUsers ? "places.people" : "people.tokens")}
      intro={t(mayUsers ? "people.intro" : "people.tokensIntro")}
    >
      {mayUsers && <UsersSection />}
      <TokensSection heading={mayUsers} />
    </PageFrame>
  );
}
