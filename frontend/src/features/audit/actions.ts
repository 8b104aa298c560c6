/** What the audit trail knows, and how its lines are put together. */
import type { AuditEntry } from "@/shared/api/shapes";
import { foldAlike, type Folded, oneSitting } from "@/shared/fold";

/** The server's names for what was done, each with words in the reader's language. */
export const ACTIONS = [
  "tool.create",
  "tool.save",
  "tool.publish",
  "tool.restore",
  "tool.delete",
  "tool.test_save",
  "tool.test_rename",
  "tool.test_delete",
  "graph.create",
  "graph.save",
  "graph.publish",
  "graph.restore",
  "graph.delete",
  "graph.test_save",
  "graph.test_rename",
  "graph.test_delete",
  "run.answer",
  "run.cancel",
  "run.change_output",
  "run.restore_step",
  "environment.create",
  "environment.change",
  "environment.delete",
  "variable.set",
  "variable.delete",
  "secret.set",
  "secret.delete",
  "session.start",
  "session.end",
  "session.locked_out",
  "user.invite",
  "user.set_up",
  "user.change",
  "user.reset",
  "user.end_sessions",
  "token.create",
  "token.revoke",
  "settings.models",
  "settings.network",
  "keys.rotate",
] as const;
export type Action = (typeof ACTIONS)[number];

/** What the server tells of an action, and has a name in the reader's language. */
export const DETAILS = [
  "address",
  "after",
  "before",
  "default",
  "despite_tests",
  "email",
  "hosts",
  "is_active",
  "kind",
  "providers",
  "revision",
  "role",
  "run",
  "scope",
  "secrets",
  "title",
] as const;
/** Values that are codes of the server, too. */
export const VALUES = ["first_admin", "invitation", "reset"] as const;
/** Who acts where no account does. */
export const ACTORS = ["system", "nobody"] as const;

export const knownDetail = (name: string) => DETAILS.find((one) => one === name);
export const knownActor = (name: string) => ACTORS.find((one) => one === name);

const ROLES = ["viewer", "operator", "author", "admin"] as const;

/** The code that a detail's value is, if it is one. */
export const knownValue = (name: string, value: unknown) =>
  name === "kind" ? VALUES.find((one) => one === value) : undefined;
export const knownRole = (name: string, value: unknown) =>
  name === "role" || name === "scope" ? ROLES.find((one) => one === value) : undefined;

export function knownAction(code: string): Action | undefined {
  return ACTIONS.find((one) => one === code);
}

/** Entries, newest first, with the saves of one document in one sitting folded. Each stays in the trail, and here. */
export function entriesOf(rows: readonly AuditEntry[]): Folded<AuditEntry>[] {
  return foldAlike(
    rows,
    (head, row) =>
      head.action.endsWith(".save") &&
      head.action === row.action &&
      head.actor === row.actor &&
      head.target === row.target &&
      oneSitting(head.at, row.at),
  );
}
