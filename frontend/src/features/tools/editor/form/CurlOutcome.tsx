import { ActionIcon, Anchor } from "@mantine/core";
import { IconInfoCircle, IconKey, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { CurlStep } from "@/shared/api/shapes";
import { useMay } from "@/shared/session/session";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Said } from "@/shared/ui/Said";
import { beforeSecret, useCurlNews } from "../../curl/curlCommand";
import { useEditor } from "../EditorContext";
import classes from "./Curl.module.css";

function Needs({ from }: { from: CurlStep }) {
  const { t } = useTranslation();
  const { needs } = from;
  /** What to put into the environment: of `Bearer …` the rest alone, since the tool keeps the word. */
  const value = ({ name, part, field }: CurlStep["needs"][number]) => {
    const before = part === "header" ? beforeSecret(from, field, name) : "";
    return before ? t("curl.need.headerAfter", { field, before }) : t(`curl.need.${part}`, { field });
  };
  const may = useMay("environments.write");
  if (needs.length === 0) return null;
  return (
    <div className={classes.part}>
      <IconKey size={16} aria-hidden="true" />
      <div>
        <p>{t(may ? "curl.needsMine" : "curl.needs")}</p>
        <ul>
          {needs.map((need) => (
            <li key={need.name}>
              <code>{need.name}</code>
              <CopyButton text={need.name} />
              <span>
                {value(need)}
                {need.secret && need.host && t("curl.forHost", { host: need.host })}
              </span>
            </li>
          ))}
        </ul>
        {may && (
          <Anchor component={Link} to="/environments" size="sm">
            {t("places.environments")}
          </Anchor>
        )}
      </div>
    </div>
  );
}

/** What became of the command that a step was made from: what the environment has to hold, and what was left out. */
export function CurlOutcome({ step }: { step: number }) {
  const { t } = useTranslation();
  const tool = useEditor((state) => state.draft.name);
  const { news, tell } = useCurlNews();
  if (news?.tool !== tool || news.step !== step) return null;
  const { needs, notes } = news.from;
  return (
    <div className={classes.outcome} role="status" aria-label={t("curl.outcome")}>
      <div className={classes.head}>
        <b>{t(needs.length + notes.length > 0 ? "curl.taken" : "curl.takenWhole")}</b>
        <ActionIcon variant="subtle" color="gray" size="sm" aria-label={t("common.close")} onClick={() => tell(null)}>
          <IconX size={14} />
        </ActionIcon>
      </div>
      <Needs from={news.from} />
      {notes.length > 0 && (
        <div className={classes.part}>
          <IconInfoCircle size={16} aria-hidden="true" />
          <ul aria-label={t("curl.notes")}>
            {notes.map((note) => (
              <li key={note}>
                <Said text={note} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
