/** What a pasted cURL command looks like, and what became of one. */
import { create } from "zustand";
import type { CurlStep } from "@/shared/api/shapes";
import type { GivenRequest } from "../document/toolEdits";

/** Whether a text is a cURL command, perhaps behind a prompt. */
export function isCurl(text: string): boolean {
  return /^\s*(?:[$>#%]\s+)?curl(?:\.exe)?\s/i.test(text);
}

/** The request that a command gave, for the document. */
export function requestOf({ step, env }: CurlStep): GivenRequest {
  return {
    url: step.url,
    method: step.method,
    headers: step.headers ?? {},
    query: step.query ?? [],
    body: step.body ?? null,
    timeout: step.timeout ?? null,
    env,
  };
}

/** What stays in a header before the secret: `Bearer`, which the secret itself then has not. */
export function beforeSecret({ step }: CurlStep, header: string, name: string): string {
  const value = step.headers?.[header] ?? "";
  const at = value.indexOf(`\${env:${name}}`);
  return at > 0 ? value.slice(0, at).trim() : "";
}

export interface CurlNews {
  tool: string;
  step: number;
  /** Whether the step is new, so that those behind it have other numbers now. */
  inserted: boolean;
  from: CurlStep;
}

interface CurlNewsState {
  news: CurlNews | null;
  tell: (news: CurlNews | null) => void;
}

/** What the last command needs and what it lost; told in its step, also when the tool was made from it. */
export const useCurlNews = create<CurlNewsState>((set) => ({
  news: null,
  tell: (news) => set({ news }),
}));
