import { getNodesBounds, getViewportForBounds, useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { plainOf, Raw, type Value } from "@/shared/yaml/plain";
import { sourceOf } from "@/shared/yaml/source";
import { FIT, TOOLS_HEIGHT } from "../canvas/CanvasFrame";
import { copyText, paste } from "../document/clipboard";
import { type Graph, NODE_HEIGHT, NODE_WIDTH, type Place } from "../document/graph";
import {
  addNode,
  addNote,
  besides,
  connect,
  freePlace,
  movePlaces,
  put,
  removeThings,
  renameNode,
} from "../document/graphEdits";
import { freeName, nameFrom } from "../document/names";
import { tidyPlaces } from "../document/tidy";
import { useEditorHandle, useUiHandle } from "./context";
import { SET_TO } from "./kindsFound";

/** What a new step needs before it can run. */
const DEFAULTS: Record<string, { [key: string]: Value }> = {
  Ask: { question: "", kind: "confirm" },
  Convert: { text: "" },
  Delay: { seconds: new Raw("1") },
  Extract: { schema: { type: "object", properties: { value: { type: "string" } } } },
  ForEach: { items: "" },
  Graph: { graph: "" },
  Tool: { tool: "" },
};

/** A step whose text is shown to the user and kept in the conversation. */
const SPEAKING = { to_user: true, outputs: { messages: "text" } };

export type Alignment = "left" | "top" | "spread";

function alignedPlaces(graph: Graph, names: ReadonlySet<string>, how: Alignment): (Place & { id: string })[] {
  const nodes = graph.nodes.filter(({ name }) => names.has(name));
  const left = Math.min(...nodes.map(({ x }) => x));
  const top = Math.min(...nodes.map(({ y }) => y));
  if (how === "left") return nodes.map(({ name, y }) => ({ id: name, x: left, y }));
  if (how === "top") return nodes.map(({ name, x }) => ({ id: name, x, y: top }));
  const sorted = [...nodes].sort((a, b) => a.x - b.x);
  const step = (sorted.at(-1)!.x - left) / Math.max(1, sorted.length - 1);
  return sorted.map(({ name, y }, i) => ({ id: name, x: Math.round((left + i * step) / 8) * 8, y }));
}

/** What can be done with the open graph; the same object for the life of the editor. */
export function useActions() {
  const { store } = useEditorHandle();
  const { i18n } = useTranslation();
  const ui = useUiHandle();
  const flow = useReactFlow();
  return useMemo(() => {
    const graph = (): Graph | null => {
      const { reading, readOnly } = store.getState();
      return reading.ok && !readOnly ? reading.graph : null;
    };
    const edit = (...args: Parameters<ReturnType<typeof store.getState>["edit"]>) => store.getState().edit(...args);
    const root = () => plainOf(sourceOf(store.getState().text).doc.contents);
    const chosen = () => {
      const now = graph();
      const { selected } = ui.getState();
      return new Set(now?.nodes.map(({ name }) => name).filter((name) => selected.has(name)) ?? []);
    };
    /** Moves the canvas as little as it needs for a step to be seen. */
    const show = (ids: string[]) => {
      requestAnimationFrame(() => {
        const node = ids.map((id) => flow.getNode(id)).find((one) => one !== undefined);
        const pane = document.querySelector(".react-flow")?.getBoundingClientRect();
        if (!node || !pane) return;
        const { x, y, zoom: now } = flow.getViewport();
        const zoom = Math.max(now, 0.5);
        if (zoom !== now) {
          void flow.setCenter(node.position.x + 104, node.position.y + 28, { zoom, duration: 180 });
          return;
        }
        const by = (start: number, size: number, room: number) => {
          const margin = 32;
          if (start < margin) return margin - start;
          return start + size > room - margin ? room - margin - start - size : 0;
        };
        const dx = by(node.position.x * zoom + x, (node.width ?? 208) * zoom, pane.width);
        const dy = by(node.position.y * zoom + y, (node.height ?? 56) * zoom, pane.height - TOOLS_HEIGHT + 32);
        if (dx || dy) void flow.setViewport({ x: x + dx, y: y + dy, zoom }, { duration: 180 });
      });
    };
    const focus = (id: string) => {
      show([id]);
      const from = document.activeElement;
      setTimeout(() => {
        const now = document.activeElement;
        // Whoever went on to a field in the meantime stays there.
        if (now !== from && now?.matches("input, textarea")) return;
        document
          .querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(id)}"]`)
          ?.focus({ preventScroll: true });
      }, 60);
    };
    const selectOne = (name: string) => {
      ui.getState().select([name]);
      focus(name);
    };
    const pasted = (text: string, at?: Place): boolean => {
      const now = graph();
      if (!now) return false;
      const lowest = Math.max(-88, ...now.nodes.map(({ y }) => y)) + 88;
      const result = paste(now, root(), text, at ?? { x: 0, y: lowest });
      if (!result || !edit(() => result.edits)) return false;
      ui.getState().select(result.names);
      show(result.names);
      return true;
    };
    return {
      graph,
      edit,
      show,
      focus,
      selectOne,
      /** Adds a step; `of` is the tool or graph that it is set to. */
      addCall({ call, of }: { call: string; of?: string }, at?: Place, from?: string) {
        const now = graph();
        if (!now) return;
        const name = freeName(nameFrom(of ?? call), new Set(now.nodes.map((node) => node.name)));
        const source = from ?? (at ? undefined : now.nodes.at(-1)?.name);
        const place = at ? freePlace(now, at) : source ? besides(now, source) : { x: 0, y: 0 };
        // The first model's answer is what somebody wants to read.
        const speaks = call === "LLM" && !now.nodes.some(({ toUser }) => toUser);
        const more = speaks ? SPEAKING : undefined;
        const settings = of === undefined ? (DEFAULTS[call] ?? null) : { [SET_TO[call as keyof typeof SET_TO]]: of };
        if (edit(addNode({ name, call, settings, more, ...place, from }))) selectOne(name);
      },
      connect(source: string, target: string) {
        if (graph()) edit(connect(source, target));
      },
      remove() {
        const now = graph();
        const { selected, edge } = ui.getState();
        if (!now) return;
        const names = [...chosen()];
        const notes = now.notes.filter(({ index }) => selected.has(`note ${index}`)).map(({ index }) => index);
        const edges = edge === null ? [] : [edge];
        if (names.length + notes.length + edges.length === 0) return;
        if (edit(removeThings(names, edges, notes))) ui.getState().select([]);
      },
      copy(): string | null {
        const names = chosen();
        return names.size ? copyText(store.getState().text, names) : null;
      },
      paste: pasted,
      duplicate() {
        const now = graph();
        const names = chosen();
        if (!now || names.size === 0) return;
        const nodes = now.nodes.filter(({ name }) => names.has(name));
        const at = { x: Math.min(...nodes.map(({ x }) => x)), y: Math.max(...nodes.map(({ y }) => y)) + 88 };
        pasted(copyText(store.getState().text, names), at);
      },
      rename(from: string, to: string): boolean {
        const now = graph();
        if (!now || now.nodes.some(({ name }) => name === to)) return false;
        if (!edit(renameNode(from, to))) return false;
        ui.getState().select([to]);
        return true;
      },
      setEntry(name: string) {
        if (graph()) edit(put(["entry"], name));
      },
      addNote(text: string, at?: Place) {
        const now = graph();
        if (!now) return;
        const top = Math.min(0, ...now.nodes.map(({ y }) => y), ...now.notes.map(({ y }) => y)) - 96;
        const index = now.notes.length;
        if (edit(addNote(at ?? { x: 0, y: top }, text))) {
          ui.getState().select([`note ${index}`]);
          show([`note ${index}`]);
        }
      },
      tidy() {
        const now = graph();
        if (!now) return;
        const places = tidyPlaces(now, i18n.t("graphs.else"));
        if (!edit(movePlaces(places))) return;
        // Not once the canvas has drawn it, however long that takes: what will be there is known.
        const pane = document.querySelector(".react-flow")?.getBoundingClientRect();
        if (!pane || places.length === 0) return;
        const notes = new Map(now.notes.map((note) => [`note ${note.index}`, note]));
        const bounds = getNodesBounds(
          places.map(({ id, x, y }) => ({
            id,
            data: {},
            position: { x, y },
            width: notes.get(id)?.width ?? NODE_WIDTH,
            height: notes.get(id)?.height ?? NODE_HEIGHT,
          })),
        );
        const view = getViewportForBounds(bounds, pane.width, pane.height, FIT.minZoom, FIT.maxZoom, FIT.padding);
        void flow.setViewport(view, { duration: FIT.duration });
      },
      align(how: Alignment) {
        const now = graph();
        const names = chosen();
        if (now && names.size > 1) edit(movePlaces(alignedPlaces(now, names, how)));
      },
      nudge(dx: number, dy: number) {
        const now = graph();
        if (!now) return;
        const { selected } = ui.getState();
        const places = [
          ...now.nodes.map(({ name, x, y }) => ({ id: name, x, y })),
          ...now.notes.map(({ index, x, y }) => ({ id: `note ${index}`, x, y })),
        ].filter(({ id }) => selected.has(id));
        if (places.length) edit(movePlaces(places.map(({ id, x, y }) => ({ id, x: x + dx, y: y + dy }))), "nudge");
      },
      /** After the canvas has got another size: what is selected stays in view; `whole`: all, where there is room. */
      settle(whole = false) {
        const pane = document.querySelector(".react-flow");
        if (!pane?.clientWidth) return;
        const [first] = ui.getState().selected;
        const { width, height } = getNodesBounds(flow.getNodes());
        const zoom = flow.getZoom();
        const fits = width * zoom < pane.clientWidth && height * zoom < pane.clientHeight - TOOLS_HEIGHT;
        if (first && !(whole && fits)) show([first]);
        else void flow.fitView(FIT);
      },
      fit: () => void flow.fitView(FIT),
      /** Shows the settings of the graph as a whole. */
      showGraph: () => ui.getState().select([]),
    };
  }, [store, ui, flow, i18n]);
}

export type Actions = ReturnType<typeof useActions>;
