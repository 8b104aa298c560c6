/** Answers that were typed and not sent: they outlive the card, which goes away when somebody else answers. */
import { create } from "zustand";
import type { Typed } from "./questionFields";

export interface AnswerDraft {
  run: string;
  node: string;
  typed: Typed;
  /** It is on its way: that its question goes away now is no surprise. */
  sending: boolean;
}

interface State {
  /** By the id of the visit that asks. */
  drafts: ReadonlyMap<string, AnswerDraft>;
  type: (visit: string, draft: Pick<AnswerDraft, "run" | "node" | "typed">) => void;
  send: (visit: string, sending: boolean) => void;
  drop: (visit: string) => void;
}

export const useAnswerDrafts = create<State>((set) => ({
  drafts: new Map(),
  type: (visit, draft) => set(({ drafts }) => ({ drafts: new Map(drafts).set(visit, { ...draft, sending: false }) })),
  send: (visit, sending) =>
    set(({ drafts }) => {
      const draft = drafts.get(visit);
      return draft ? { drafts: new Map(drafts).set(visit, { ...draft, sending }) } : {};
    }),
  drop: (visit) => set(({ drafts }) => ({ drafts: new Map([...drafts].filter(([id]) => id !== visit)) })),
}));

/** What was typed for questions of a run that nobody is asked any more. */
export function lostDrafts(
  drafts: ReadonlyMap<string, AnswerDraft>,
  run: string,
  asked: readonly { id: string }[],
): [string, AnswerDraft][] {
  const open = new Set(asked.map(({ id }) => id));
  return [...drafts].filter(
    ([visit, draft]) =>
      draft.run === run && !draft.sending && !open.has(visit) && [...draft.typed.values()].some((text) => text.trim()),
  );
}
