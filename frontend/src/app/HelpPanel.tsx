import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./HelpPanel.module.css";

const KEYS = [
  "run",
  "save",
  "undo",
  "redo",
  "goTo",
  "moveStep",
  "addStep",
  "nextStep",
  "connect",
  "rename",
  "arrows",
  "showAll",
  "find",
  "resume",
  "stepOver",
  "breakpoint",
  "help",
] as const;
const COMBINATIONS: Record<(typeof KEYS)[number], string[]> = {
  run: ["Ctrl", "Enter"],
  save: ["Ctrl", "S"],
  undo: ["Ctrl", "Z"],
  redo: ["Ctrl", "Shift", "Z"],
  goTo: ["Ctrl", "K"],
  moveStep: ["Alt", "↑ / ↓"],
  resume: ["F5"],
  stepOver: ["F10"],
  addStep: ["N"],
  nextStep: ["/"],
  connect: ["C"],
  rename: ["F2"],
  breakpoint: ["F9"],
  arrows: ["←", "→", "↑", "↓"],
  showAll: ["1"],
  find: ["Ctrl", "F"],
  help: ["?"],
};
const WORDS = [
  "tool",
  "step",
  "input",
  "reference",
  "environment",
  "secret",
  "variable",
  "result",
  "missing",
  "draft",
  "version",
  "cache",
  "schema",
  "sandbox",
] as const;

/** The keys, and the few words that the product uses. */
export default function HelpPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={400}
      title={t("help.title")}
      transitionProps={{ duration: 180 }}
      closeButtonProps={{ "aria-label": t("common.close") }}
    >
      <h2>{t("help.keys")}</h2>
      <dl className={classes.keys}>
        {KEYS.map((key) => (
          <div key={key}>
            <dt>
              {COMBINATIONS[key].map((part) => (
                <kbd key={part}>{part}</kbd>
              ))}
            </dt>
            <dd>{t(`help.key.${key}`)}</dd>
          </div>
        ))}
      </dl>
      <h2>{t("help.words")}</h2>
      <dl className={classes.words}>
        {WORDS.map((word) => (
          <div key={word}>
            <dt>{t(`help.word.${word}.name`)}</dt>
            <dd>{t(`help.word.${word}.text`)}</dd>
          </div>
        ))}
      </dl>
    </Drawer>
  );
}
