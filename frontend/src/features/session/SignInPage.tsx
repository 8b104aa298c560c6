import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { sessionQuery } from "@/shared/session/session";
import { CentredCard } from "@/shared/ui/CentredCard";
import { useTitle } from "@/shared/hooks/useTitle";
import { Waiting } from "@/shared/ui/Waiting";
import { FirstSetUp } from "./FirstSetUp";
import { setUpNeeded } from "./requests/setUpNeeded";
import { SignInForm } from "./SignInForm";

export function SignInPage() {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  const { next } = useSearch({ strict: false }) as { next?: string };
  const needed = useQuery({ queryKey: ["set-up-needed"], queryFn: setUpNeeded, retry: false });
  useTitle(t("session.signIn"));
  if (needed.isPending) return <Waiting />;
  if (needed.data)
    return (
      <CentredCard title={t("session.first.title")}>
        <FirstSetUp />
      </CentredCard>
    );
  return (
    <CentredCard title={t("session.signInTitle")}>
      <SignInForm
        onSignedIn={(session) => {
          queries.clear();
          queries.setQueryData(sessionQuery.queryKey, session);
          const inside = next?.startsWith("/") && !next.startsWith("//") && !next.includes("\\");
          if (inside) router.history.push(next!);
          else void navigate({ to: "/tools" });
        }}
      />
    </CentredCard>
  );
}
