/** How one value is written now, and how it could be. */
import { useState } from "react";
import type { Path, Plain } from "@/shared/yaml/plain";
import { put } from "../../../document/graphEdits";
import {
  type Definitions,
  freshValue,
  type Schema,
  type Shape,
  type Way,
  wayOf,
  waysOf,
} from "../../../document/shape";
import { useEditor } from "../../context";

export interface ValueProps {
  /** What it is called, for those who hear it too. */
  label: string;
  path: Path;
  value: Plain | undefined;
  schema: Schema;
  definitions: Definitions;
  /** The step whose setting it is. */
  node: string;
  kind?: string;
  optional: boolean;
}

/** What values inside of a value take over from it. */
export const inherited = ({ definitions, node, kind }: ValueProps) => ({ definitions, node, kind });

const COMPOUND: readonly Shape[] = ["list", "group"];
export const isCompound = (way: Way | undefined): boolean => way !== undefined && COMPOUND.includes(way.shape);

export interface Ways {
  ways: Way[];
  way: Way | undefined;
  pick: (way: Way) => void;
}

export function useWays({ path, value, schema, definitions, kind }: ValueProps): Ways {
  const edit = useEditor((state) => state.edit);
  // What was picked holds while it is typed: an emptied number is no text yet.
  const [picked, setPicked] = useState<Shape | null>(null);
  const ways = waysOf(schema, definitions, kind === "template");
  const written = wayOf(value, ways);
  const chosen = ways.find(({ shape }) => shape === picked);
  const way = isCompound(written) || isCompound(chosen) || !chosen ? written : chosen;
  return {
    ways,
    way,
    pick: (next) => {
      if (edit(put(path, freshValue(next, value)))) setPicked(next.shape);
    },
  };
}
