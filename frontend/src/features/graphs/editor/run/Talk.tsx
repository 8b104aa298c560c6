import { Conversation, type Message } from "@/features/runs/graph/Conversation";
import { useEditor, useGraph } from "../context";
import dock from "../dock/Dock.module.css";
import { useWatched } from "./watched";

/** The conversation with the open graph, beside its canvas: each turn is a run that the canvas shows. */
export function Talk({ disabled, onSay }: { disabled: boolean; onSay: (messages: Message[]) => Promise<void> }) {
  const name = useEditor((state) => state.draft.name);
  const { graph } = useGraph();
  const watched = useWatched();
  return (
    <div className={dock.talk}>
      <Conversation
        name={name}
        speaking={graph.nodes.filter(({ toUser }) => toUser).map((node) => node.name)}
        state={watched?.state ?? null}
        disabled={disabled}
        onSay={onSay}
        onPick={(id) => watched?.inspected.pick(id)}
      />
    </div>
  );
}
