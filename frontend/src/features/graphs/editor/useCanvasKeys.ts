import { useEffect, useRef } from "react";
import { useUiHandle } from "./context";
import { useStops } from "./run/useStops";
import type { Actions } from "./useActions";

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.matches("input, textarea, select, [role=combobox], [role=textbox]") || target.isContentEditable);
const elsewhere = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  target !== document.body &&
  target.closest("[data-canvas]") === null &&
  target.closest("#content") === null;
const onCanvas = (target: EventTarget | null): boolean =>
  !(target instanceof HTMLElement) || target === document.body || target.closest("[data-canvas]") !== null;

const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The step that lies in a direction, the nearest first. */
function neighbour(actions: Actions, name: string | undefined, [dx, dy]: [number, number]): string | undefined {
  const nodes = actions.graph()?.nodes ?? [];
  const from = nodes.find((node) => node.name === name);
  if (!from) return nodes[0]?.name;
  let best: { name: string; far: number } | undefined;
  for (const node of nodes) {
    const along = (node.x - from.x) * dx + (node.y - from.y) * dy;
    if (node === from || along <= 0) continue;
    const across = Math.abs((node.x - from.x) * dy) + Math.abs((node.y - from.y) * dx);
    const far = along + across * 2;
    if (!best || far < best.far) best = { name: node.name, far };
  }
  return best?.name;
}

/** The keys of the canvas; none of them while someone types. */
export function useCanvasKeys(actions: Actions): void {
  const ui = useUiHandle();
  const { toggle } = useStops();
  const stops = useRef(toggle);
  useEffect(() => {
    stops.current = toggle;
  });
  useEffect(() => {
    const single = () => {
      const { selected } = ui.getState();
      const [first] = selected;
      return selected.size === 1 && actions.graph()?.nodes.some(({ name }) => name === first) ? first : undefined;
    };
    const pick = (from: string | undefined, what: "call" | "target") => {
      const box = document.querySelector("[data-canvas]")?.getBoundingClientRect();
      const id = from && `[data-canvas] [data-id="${CSS.escape(from)}"]`;
      const node = id ? document.querySelector(id)?.getBoundingClientRect() : undefined;
      if (!box) return;
      const left = node ? node.right - box.left + 12 : box.width / 2 - 150;
      const top = node ? node.top - box.top : box.height / 4;
      ui.getState().set({ picker: { left, top, from, what } });
    };
    const plain = (event: KeyboardEvent): boolean => {
      const chosen = single();
      const arrow = ARROWS[event.key];
      if (arrow && onCanvas(event.target)) {
        if (event.shiftKey) actions.nudge(arrow[0] * 8, arrow[1] * 8);
        else {
          const next = neighbour(actions, chosen, arrow);
          if (next) actions.selectOne(next);
        }
      } else if (event.key === "Delete" || (event.key === "Backspace" && onCanvas(event.target))) actions.remove();
      else if (event.key === "F9" && chosen) stops.current(chosen);
      else if (event.key === "Escape" && onCanvas(event.target)) ui.getState().select([]);
      else if (event.key === "F2" && chosen) ui.getState().set({ rename: ui.getState().rename + 1, panel: "settings" });
      else if (event.key === "Enter" && (event.target as HTMLElement).classList?.contains("react-flow__node")) {
        const id = (event.target as HTMLElement).dataset.id!;
        ui.getState().select([id]);
        ui.getState().set({ enter: ui.getState().enter + 1, panel: "settings" });
      } else if (event.key === " " && (event.target as HTMLElement).classList?.contains("react-flow__node"))
        ui.getState().select([(event.target as HTMLElement).dataset.id!]);
      else if (event.key === "Enter" && (event.target as Element).classList?.contains("react-flow__edge"))
        ui.getState().selectEdge(Number((event.target as SVGElement).dataset.id?.split(" ")[0]));
      else if (event.shiftKey && event.key !== "?") return false;
      else if (event.key.toLowerCase() === "n") pick(undefined, "call");
      else if (event.key === "/") pick(chosen, "call");
      else if (event.key.toLowerCase() === "c" && chosen) pick(chosen, "target");
      else if (event.key === "1") actions.fit();
      else return false;
      return true;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        event.defaultPrevented ||
        event.altKey ||
        event.isComposing ||
        typing(event.target) ||
        elsewhere(event.target)
      )
        return;
      if ((event.target as HTMLElement).closest?.("[role=menu], [role=dialog]")) return;
      if (event.ctrlKey || event.metaKey) {
        const key = event.key.toLowerCase();
        if (key === "d") actions.duplicate();
        else if (key === "f") ui.getState().set({ find: true });
        else if (key === "a" && onCanvas(event.target))
          ui.getState().select(actions.graph()?.nodes.map(({ name }) => name) ?? []);
        else return;
        event.preventDefault();
      } else if (plain(event)) event.preventDefault();
    };
    const selectedText = () => (document.getSelection()?.toString() ?? "") !== "";
    const onCopy = (event: ClipboardEvent) => {
      if (typing(event.target) || selectedText()) return;
      const text = actions.copy();
      if (!text) return;
      event.clipboardData?.setData("text/plain", text);
      event.preventDefault();
      if (event.type === "cut") actions.remove();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (typing(event.target)) return;
      if (actions.paste(event.clipboardData?.getData("text/plain") ?? "")) event.preventDefault();
    };
    document.addEventListener("keydown", onKeyDown);
    document.addEventListener("copy", onCopy);
    document.addEventListener("cut", onCopy);
    document.addEventListener("paste", onPaste);
    return () => {
      document.removeEventListener("keydown", onKeyDown);
      document.removeEventListener("copy", onCopy);
      document.removeEventListener("cut", onCopy);
      document.removeEventListener("paste", onPaste);
    };
  }, [actions, ui]);
}
