import { Menu } from "@mantine/core";
import {
  IconArrowRight,
  IconClipboardCopy,
  IconCopy,
  IconCursorText,
  IconFlag,
  IconPlus,
  IconTrash,
} from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { useGraph, type Ui, useUiHandle } from "./context";
import type { Actions } from "./useActions";

/** What can be done with a step; used by the right click and by the button in its settings. */
export function NodeMenuItems({ name, actions }: { name: string; actions: Actions }) {
  const { t } = useTranslation();
  const ui = useUiHandle();
  const { graph } = useGraph();
  const pick = (what: "target" | "call") => () => {
    const box = document.querySelector("[data-canvas]")?.getBoundingClientRect();
    const node = document.querySelector(`[data-canvas] [data-id="${CSS.escape(name)}"]`)?.getBoundingClientRect();
    const left = node && box ? node.right - box.left + 12 : 80;
    const top = node && box ? node.top - box.top : 80;
    setTimeout(() => ui.getState().set({ picker: { left, top, from: name, what } }), 30);
  };
  return (
    <>
      <Menu.Item leftSection={<IconArrowRight size={15} />} rightSection={<kbd>C</kbd>} onClick={pick("target")}>
        {t("graphs.connectTo")}
      </Menu.Item>
      <Menu.Item leftSection={<IconPlus size={15} />} rightSection={<kbd>/</kbd>} onClick={pick("call")}>
        {t("graphs.addNext")}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconCursorText size={15} />}
        rightSection={<kbd>F2</kbd>}
        onClick={() => ui.getState().set({ selected: new Set([name]), edge: null, rename: ui.getState().rename + 1 })}
      >
        {t("graphs.rename")}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconFlag size={15} />}
        disabled={graph.entry === name}
        onClick={() => actions.setEntry(name)}
      >
        {t("graphs.setEntry")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconCopy size={15} />} rightSection={<kbd>Ctrl D</kbd>} onClick={actions.duplicate}>
        {t("graphs.duplicate")}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconClipboardCopy size={15} />}
        rightSection={<kbd>Ctrl C</kbd>}
        onClick={() => void navigator.clipboard?.writeText(actions.copy() ?? "")}
      >
        {t("graphs.copyYaml")}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconTrash size={15} />}
        color="red"
        rightSection={<kbd>Del</kbd>}
        onClick={actions.remove}
      >
        {t("graphs.delete")}
      </Menu.Item>
    </>
  );
}

export function NodeMenu({ menu, actions }: { menu: NonNullable<Ui["menu"]>; actions: Actions }) {
  const ui = useUiHandle();
  return (
    <Menu opened onClose={() => ui.getState().set({ menu: null })} position="bottom-start" width={220} returnFocus>
      <Menu.Target>
        <div style={{ position: "absolute", left: menu.left, top: menu.top, width: 1, height: 1 }} />
      </Menu.Target>
      <Menu.Dropdown>
        <NodeMenuItems name={menu.name} actions={actions} />
      </Menu.Dropdown>
    </Menu>
  );
}
