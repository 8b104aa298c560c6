/** Saves a draft by itself, says honestly how far it is, and never loses a text. */
import { ApiError } from "@/shared/api/client";
import type { SaveConflict } from "@/shared/api/shapes";
import type { Draft, SaveBody } from "./draft";

export type SaveState =
  | { kind: "saved"; at: number | null }
  | { kind: "pending" }
  | { kind: "saving" }
  | { kind: "failed"; why: "offline" | "signedOut" | "refused"; message: string }
  | { kind: "conflict"; conflict: SaveConflict };

export interface SaverPorts<D> {
  save: (body: SaveBody) => Promise<D>;
  now: () => number;
  /** Calls back after some time; gives what takes it back. */
  later: (call: () => void, ms: number) => () => void;
  onState: (state: SaveState) => void;
  onSaved: (draft: D) => void;
}

const QUIET_MS = 1000;
const LONGEST_MS = 5000;
const RETRY_MS = 3000;

export class DraftSaver<D extends Draft = Draft> {
  private text: string;
  private savedText: string;
  private base: number;
  private state: SaveState = { kind: "saved", at: null };
  private running: Promise<boolean> | null = null;
  private takeBack: (() => void) | null = null;
  private changedAt: number | null = null;
  private stopped = false;

  constructor(
    text: string,
    revision: number,
    private readonly ports: SaverPorts<D>,
  ) {
    this.text = text;
    this.savedText = text;
    this.base = revision;
  }

  get revision(): number {
    return this.base;
  }

  get hasUnsaved(): boolean {
    return !this.stopped && (this.text !== this.savedText || this.running !== null);
  }

  /** Takes a changed text; it is saved when typing pauses, at the latest after five seconds. */
  change(text: string): void {
    if (this.stopped) return;
    this.text = text;
    if (this.state.kind === "conflict" || (this.state.kind === "failed" && this.state.why === "signedOut")) return;
    if (text === this.savedText && !this.running) {
      this.cancelTimer();
      this.changedAt = null;
      this.tell({ kind: "saved", at: this.state.kind === "saved" ? this.state.at : null });
      return;
    }
    this.changedAt ??= this.ports.now();
    if (!this.running) this.tell({ kind: "pending" });
    const left = LONGEST_MS - (this.ports.now() - this.changedAt);
    this.schedule(Math.max(0, Math.min(QUIET_MS, left)));
  }

  /** Saves at once; with a note even when nothing changed. Gives whether everything is stored. */
  async flush(note?: string): Promise<boolean> {
    this.cancelTimer();
    if (this.running) await this.running;
    if (this.stopped || this.state.kind === "conflict") return false;
    if (this.text === this.savedText && note === undefined) return true;
    return this.save(note);
  }

  /** Tries again after a failure that may have passed. */
  retry(): void {
    if (this.state.kind === "failed") void this.flush();
  }

  /** Ends a conflict: the given text stands on top of theirs. */
  async resolve(text: string): Promise<boolean> {
    if (this.state.kind !== "conflict") return false;
    const { current } = this.state.conflict;
    this.base = current.revision;
    this.savedText = current.yaml;
    this.text = text;
    this.tell({ kind: "saved", at: this.ports.now() });
    return text === current.yaml || this.save();
  }

  /** Takes a stored text as it is now, such as a restored version. */
  adopt({ revision, yaml }: D): void {
    this.cancelTimer();
    this.base = revision;
    this.savedText = yaml;
    this.text = yaml;
    this.tell({ kind: "saved", at: this.ports.now() });
  }

  /** Nothing is saved from here on. */
  stop(): void {
    this.stopped = true;
    this.cancelTimer();
  }

  private tell(state: SaveState): void {
    this.state = state;
    this.ports.onState(state);
  }

  private cancelTimer(): void {
    this.takeBack?.();
    this.takeBack = null;
  }

  private schedule(ms: number): void {
    this.cancelTimer();
    this.takeBack = this.ports.later(() => void this.flush(), ms);
  }

  private save(note?: string): Promise<boolean> {
    const sent = this.text;
    this.changedAt = null;
    this.tell({ kind: "saving" });
    this.running = this.ports
      .save({ yaml: sent, base_revision: this.base, ...(note === undefined ? {} : { note }) })
      .then(
        (draft) => this.succeeded(sent, draft),
        (error: unknown) => this.failed(error),
      );
    return this.running;
  }

  private succeeded(sent: string, draft: D): boolean {
    this.running = null;
    this.base = draft.revision;
    this.savedText = sent;
    this.ports.onSaved(draft);
    if (this.text === sent) this.tell({ kind: "saved", at: this.ports.now() });
    else this.change(this.text);
    return this.text === sent;
  }

  private failed(error: unknown): boolean {
    this.running = null;
    const { status, problem, message } = error instanceof ApiError ? error : new ApiError(0, {});
    if (status === 409 && problem.current) {
      const { current } = problem;
      const yours = { base_revision: this.base, yaml: this.text };
      this.tell({ kind: "conflict", conflict: { current, yours } });
    } else if (status === 401) {
      this.tell({ kind: "failed", why: "signedOut", message: "" });
    } else if (status === 0 || status >= 500) {
      this.tell({ kind: "failed", why: "offline", message: "" });
      if (!this.stopped) this.schedule(RETRY_MS);
    } else {
      const fields = Object.values(problem.fields ?? {}).flat();
      this.tell({ kind: "failed", why: "refused", message: fields.length ? fields.join(" ") : message });
    }
    return false;
  }
}
