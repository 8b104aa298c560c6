import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Run } from "@/shared/api/shapes";
import { runRead } from "../requests/runRead";
import { Conversation } from "./Conversation";
import { useGraphRun } from "./useGraphRun";

interface Props {
  /** The name of the graph that answers. */
  name: string;
  environment?: string | null;
  /** Told of every turn's run, so that a canvas beside it can follow it. */
  onTurn?: (run: string) => void;
}

function Turn({
  first,
  environment,
  onTurn,
}: {
  first: Run;
  environment: string | null;
  onTurn: (id: string) => void;
}) {
  const { graph, fold, status } = useGraphRun(first);
  return (
    <Conversation
      name={first.name}
      graph={graph}
      run={first.id}
      fold={fold}
      status={status}
      environment={environment}
      onTurn={onTurn}
    />
  );
}

/** A conversation from its beginning, beside a graph's editor. */
export function ConversationPanel({ name, environment = null, onTurn }: Props) {
  const [turn, setTurn] = useState<string | null>(null);
  const run = useQuery({
    queryKey: ["run", turn],
    queryFn: () => runRead(turn!),
    enabled: turn !== null,
    staleTime: Infinity,
  });
  const begin = (id: string) => {
    setTurn(id);
    onTurn?.(id);
  };
  if (run.data) return <Turn key={run.data.id} first={run.data} environment={environment} onTurn={begin} />;
  return (
    <Conversation
      name={name}
      graph={null}
      run={null}
      fold={null}
      status={turn ? "queued" : null}
      environment={environment}
      onTurn={begin}
    />
  );
}
