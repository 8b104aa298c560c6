import { ActionIcon, Anchor } from "@mantine/core";
import { IconInfoCircle, IconKey, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { CurlStep } from "@/shared/api/shapes";
import { useMay } from "@/shared/session/session";
import { CopyButton } from "@/shared/ui/CopyButton";
import { Said } from "@/shared/ui/Said";
import { useCurlNews } from "../../curl/curlCommand";
import { useEditor } from "../EditorContext";
import classes from "./Curl.module.css";

function Needs({ needs }: { needs: CurlStep["needs"] }) {
  const { t } = useTranslation();
  const may = useMay("environments.write");
  if (needs.length === 0) return null;
  return (
    <div className={classes.part}>
      <IconKey size={16} aria-hidden="true" />
      <div>
        <p>{t(may ? "curl.needsMine" : "curl.needs")}</p>
        <ul>
          {needs.map(({ name, part, field, host, secret }) => (
            <li key={name}>
              <code>{name}</code>
              <CopyButton text={name} />
              <span>
                {t(`curl.need.${part}`, { field })}
                {secret && host && t("curl.forHost", { host })}
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
      <Needs needs={needs} />
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
