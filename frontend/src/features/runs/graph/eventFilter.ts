/** Which events of a journal somebody looks for. */
import type { RunEvent } from "@/shared/api/shapes";
import { fromPlain, writeJson } from "@/shared/json/exact";

export const dataText = (event: RunEvent): string => writeJson(fromPlain(event.data));

export interface Wanted {
  /** Names of event types; none means all. */
  types: readonly string[];
  node: string | null;
  /** In small letters. */
  text: string;
}

/** Grows with a journal: what was looked at once is not looked at again, however many events there are. */
export class EventFilter {
  readonly found: number[] = [];
  private looked = 0;

  constructor(
    private readonly events: readonly RunEvent[],
    private readonly wanted: Wanted,
  ) {}

  /** Looks at what has come, up to `count` events, and returns how many fit. */
  grow(count: number): number {
    for (; this.looked < count; this.looked += 1)
      if (this.fits(this.events[this.looked]!)) this.found.push(this.looked);
    return this.found.length;
  }

  private fits(event: RunEvent): boolean {
    const { types, node, text } = this.wanted;
    if (types.length > 0 && !types.includes(event.type)) return false;
    if (node && event.node !== node) return false;
    return !text || `${event.type} ${event.node ?? ""} ${dataText(event)}`.toLowerCase().includes(text);
  }
}

/** The types and nodes that come up in a journal; grows with it. */
export class EventNames {
  readonly types = new Set<string>();
  readonly nodes = new Set<string>();
  private looked = 0;

  constructor(private readonly events: readonly RunEvent[]) {}

  grow(count: number): this {
    for (; this.looked < count; this.looked += 1) {
      const { type, node } = this.events[this.looked]!;
      this.types.add(type);
      if (node) this.nodes.add(node);
    }
    return this;
  }
}
