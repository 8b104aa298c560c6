import { Drawer } from "@mantine/core";
import { useTranslation } from "react-i18next";
import classes from "./HelpPanel.module.css";
import { HelpWords } from "./HelpWords";

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
  "delete",
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
  delete: ["Delete"],
  breakpoint: ["F9"],
  arrows: ["←", "→", "↑", "↓"],
  showAll: ["1"],
  find: ["Ctrl", "F"],
  help: ["?"],
};

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
      <HelpWords />
    </Drawer>
  );
}
