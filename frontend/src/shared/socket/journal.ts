/** Orders numbered events: each once, none missing. Pure, so that it can be tested without a socket. */
export interface Numbered {
  seq: number;
}

export class JournalOrder<E extends Numbered> {
  private readonly kept: E[] = [];
  private lastSeq: number;
  private toleratedGap = -1;

  constructor(after = 0) {
    this.lastSeq = after;
  }

  get last(): number {
    return this.lastSeq;
  }

  get events(): readonly E[] {
    return this.kept;
  }

  /**
   * Takes a batch. Events seen before are dropped. At a gap the rest is refused and `gap` is true: ask again from
   * `last`. The same gap a second time is the journal's own, and is taken as it is.
   */
  take(batch: readonly E[]): { added: E[]; gap: boolean } {
    const added: E[] = [];
    for (const event of batch) {
      if (event.seq <= this.lastSeq) continue;
      if (event.seq > this.lastSeq + 1 && this.toleratedGap !== this.lastSeq) {
        this.toleratedGap = this.lastSeq;
        return { added, gap: true };
      }
      this.lastSeq = event.seq;
      this.kept.push(event);
      added.push(event);
    }
    return { added, gap: false };
  }
}
