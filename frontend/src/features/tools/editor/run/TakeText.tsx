import { Button } from "@mantine/core";
import { IconRegex } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TakeTextProps } from "@/features/runs/view/TakeValue";
import { CopyButton } from "@/shared/ui/CopyButton";
import { ErrorLine } from "@/shared/ui/ErrorLine";
import { LinkButton } from "@/shared/ui/LinkButton";
import { extractSuggest } from "../../requests/extractSuggest";
import { charactersTo, placeInText } from "./selection";
import { TakePattern } from "./TakePattern";
import classes from "./Take.module.css";

const MUCH = 20_000;
/** How much of the text around a selection a pattern is made from and checked on. */
const LONGEST = 1_000_000;

/** The answer as text: what is selected in it, by mouse or keyboard, becomes a variable with a pattern. */
export function TakeText({ step, text, cut }: TakeTextProps) {
  const { t } = useTranslation();
  const [limit, setLimit] = useState(MUCH);
  const [selected, setSelected] = useState<[number, number]>([0, 0]);
  const suggesting = useMutation({
    mutationFn: ([from, to]: [number, number]) => {
      const known = text.slice(0, LONGEST);
      const place = (at: number) => charactersTo(known, placeInText(text, at));
      return extractSuggest(known, place(from), place(to));
    },
  });
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const place = box.current;
    if (!place) return;
    // React tells of selections by mouse and keyboard only; a finger or an assistive program makes them too.
    const selects = () => setSelected([place.selectionStart, place.selectionEnd]);
    // A field that is read-only has no caret in Chrome, and nothing could be selected by keyboard.
    const keeps = (event: Event) => event.preventDefault();
    place.addEventListener("beforeinput", keeps);
    place.addEventListener("select", selects);
    document.addEventListener("selectionchange", selects);
    return () => {
      place.removeEventListener("beforeinput", keeps);
      place.removeEventListener("select", selects);
      document.removeEventListener("selectionchange", selects);
    };
  }, []);
  const shown = text.slice(0, limit);
  const count = selected[1] - selected[0];
  return (
    <div className={classes.place}>
      <p className="muted small">{t("take.hint")}</p>
      <div className={classes.text}>
        <textarea
          aria-readonly="true"
          value={shown}
          onChange={() => undefined}
          rows={Math.min(20, Math.max(4, shown.slice(0, 4000).split("\n").length))}
          aria-label={t("run.answer")}
          spellCheck={false}
          ref={box}
        />
        <span className={classes.copy}>
          <CopyButton text={text} />
        </span>
      </div>
      {text.length > limit && (
        <LinkButton onClick={() => setLimit(limit * 10)}>{t("tree.all", { count: text.length })}</LinkButton>
      )}
      <div className={classes.bar}>
        <Button
          size="compact-sm"
          variant="light"
          leftSection={<IconRegex size={14} />}
          disabled={count === 0}
          loading={suggesting.isPending}
          onClick={() => suggesting.mutate(selected)}
        >
          {t("take.selection")}
        </Button>
        {count > 0 && <span className="muted small">{t("take.selected", { count })}</span>}
      </div>
      <ErrorLine error={suggesting.error} />
      {suggesting.data && (
        <TakePattern
          key={suggesting.submittedAt}
          step={step}
          text={text}
          cut={cut}
          suggested={suggesting.data.extract}
          onClose={suggesting.reset}
        />
      )}
    </div>
  );
}
