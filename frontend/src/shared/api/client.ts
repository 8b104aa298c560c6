/** The one door to the REST API: typed paths, CSRF, language, and errors as {@link ApiError}. */
import createClient, { type Middleware } from "openapi-fetch";
import type { FailedTest, SaveConflict, ToolProblem } from "./shapes";
import type { paths } from "@/api/schema";
import { hearClock } from "./serverClock";

export interface ProblemDocument {
  title?: string;
  status?: number;
  detail?: string;
  code?: string;
  problems?: ToolProblem[];
  fields?: Record<string, string[]>;
  current?: SaveConflict["current"];
  yours?: SaveConflict["yours"];
  tests?: FailedTest[];
}

/** What went wrong with a request. `status` 0 means that no answer came at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly problem: ProblemDocument;

  constructor(status: number, problem: ProblemDocument) {
    super(problem.detail ?? problem.title ?? `HTTP ${status}`);
    this.name = "ApiError";
    this.status = status;
    this.problem = problem;
  }
}

const signedOutListeners = new Set<() => void>();

/** Calls `listener` when any request is refused because the session is gone. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

let language = "en";
export function setRequestLanguage(code: string): void {
  language = code;
}

function csrfToken(): string {
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? "";
}

/** When each request was sent. */
const sentAt = new Map<string, number>();

const house: Middleware = {
  onRequest({ request, id }) {
    sentAt.set(id, Date.now());
    request.headers.set("Accept-Language", language);
    if (!["GET", "HEAD"].includes(request.method)) request.headers.set("X-CSRFToken", csrfToken());
    return request;
  },
  onResponse({ response, schemaPath, id }) {
    hearClock(response.headers.get("Date"), sentAt.get(id) ?? NaN);
    sentAt.delete(id);
    if (response.status === 401 && schemaPath !== "/api/v1/session/") signedOutListeners.forEach((tell) => tell());
    return response;
  },
  onError({ id }) {
    sentAt.delete(id);
  },
};

export const client = createClient<paths>({ baseUrl: "", credentials: "same-origin" });
client.use(house);

interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

function toProblem(error: unknown, response: Response): ProblemDocument {
  if (error && typeof error === "object") return error as ProblemDocument;
  return { status: response.status, title: response.statusText || `HTTP ${response.status}` };
}

/** Gives the answer's data, or throws {@link ApiError}. */
export async function unwrap<T>(asked: Promise<Answer<T>>): Promise<T> {
  let answer: Answer<T>;
  try {
    answer = await asked;
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError(502, { code: "unreadable" });
    throw new ApiError(0, { code: "offline" });
  }
  if (!answer.response.ok) {
    throw new ApiError(answer.response.status, toProblem(answer.error, answer.response));
  }
  return answer.data as T;
}
