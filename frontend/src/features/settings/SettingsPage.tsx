import { SegmentedControl, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useTitle } from "@/shared/hooks/useTitle";
import { type Language, LANGUAGES, pickedLanguage, pickLanguage } from "@/shared/i18n";
import { useMay } from "@/shared/session/session";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { PageFrame } from "@/shared/ui/PageFrame";
import { ModelsSection } from "./ModelsSection";
import { NetworkSection } from "./NetworkSection";
import classes from "./Settings.module.css";

function OwnSection() {
  const { t } = useTranslation();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const language = useMutation({
    mutationFn: (value: string) => pickLanguage(value === "auto" ? null : (value as Language)),
    networkMode: "always", // its words may be here already
  });
  return (
    <section className={classes.card} aria-label={t("settings.own")}>
      <h2>{t("settings.own")}</h2>
      <div className={classes.line}>
        <span id="settings-language">{t("settings.language")}</span>
        <SegmentedControl
          aria-labelledby="settings-language"
          value={language.isPending ? language.variables : (pickedLanguage() ?? "auto")}
          data={[
            { value: "auto", label: t("settings.browser") },
            ...Object.entries(LANGUAGES).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(value) => language.mutate(value)}
        />
      </div>
      <ErrorLine error={language.error} />
      <div className={classes.line}>
        <span id="settings-theme">{t("settings.theme")}</span>
        <SegmentedControl
          aria-labelledby="settings-theme"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
          data={[
            { value: "auto", label: t("settings.browser") },
            { value: "light", label: t("theme.light") },
            { value: "dark", label: t("theme.dark") },
          ]}
        />
      </div>
    </section>
  );
}

/** Settings of oneself, and for admins those of the server. */
export function SettingsPage() {
  const { t } = useTranslation();
  const mayServer = useMay("settings.write");
  useTitle(t("places.settings"));
  return (
    <PageFrame title={t("places.settings")} narrow>
      <OwnSection />
      {mayServer && <ModelsSection />}
      {mayServer && <NetworkSection />}
    </PageFrame>
  );
}
