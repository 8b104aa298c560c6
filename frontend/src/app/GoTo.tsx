import { Modal, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Choice, useChoices } from "./goToChoices";
import classes from "./GoTo.module.css";

const GROUPS = ["places", "tools", "graphs", "runs", "commands"] as const;

/** Ctrl+K: type a few letters, pick a page, a tool, a graph, a run or a command. */
export default function GoTo({ onClose, onHelp }: { onClose: () => void; onHelp: () => void }) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const choices = useChoices(text, onHelp);
  const current = Math.min(at, choices.length - 1);
  useEffect(() => {
    document.getElementById(`go-to-${current}`)?.scrollIntoView({ block: "nearest" });
  }, [current]);
  const pick = (choice: Choice | undefined) => {
    if (!choice) return;
    onClose();
    void choice.go();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "ArrowDown") setAt((current + 1) % choices.length);
    else if (event.key === "ArrowUp") setAt((current - 1 + choices.length) % choices.length);
    else if (event.key === "Enter" && choices[current]) pick(choices[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Modal.Root opened onClose={onClose} padding={0} size={560} yOffset="15vh" centered={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={t("goTo.open")}>
        <TextInput
          data-autofocus
          value={text}
          placeholder={t("goTo.placeholder")}
          aria-label={t("goTo.open")}
          variant="unstyled"
          size="md"
          leftSection={<IconSearch size={18} />}
          onKeyDown={onKeyDown}
          role="combobox"
          aria-expanded="true"
          aria-controls="go-to-list"
          aria-activedescendant={choices[current] ? `go-to-${current}` : undefined}
          onChange={(e) => {
            setText(e.currentTarget.value);
            setAt(0);
          }}
        />
        <div role="listbox" id="go-to-list" aria-label={t("goTo.open")} className={classes.list}>
          {GROUPS.filter((group) => choices.some((choice) => choice.group === group)).map((group) => (
            <div key={group} role="group" aria-label={t(`goTo.group.${group}`)}>
              <div className={classes.group} aria-hidden="true">
                {t(`goTo.group.${group}`)}
              </div>
              {choices.map((choice, index) =>
                choice.group === group ? (
                  <div
                    key={index}
                    id={`go-to-${index}`}
                    role="option"
                    aria-selected={index === current}
                    className={classes.choice}
                    onMouseMove={() => setAt(index)}
                    onClick={() => pick(choice)}
                  >
                    <choice.icon size={16} aria-hidden="true" />
                    <span className={classes.label}>{choice.label}</span>
                    <span className="muted truncate small">{choice.hint}</span>
                  </div>
                ) : null,
              )}
            </div>
          ))}
        </div>
        {choices.length === 0 && (
          <p className={`muted ${classes.nothing}`} role="status">
            {t("goTo.nothing")}
          </p>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}
