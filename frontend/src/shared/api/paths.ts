/** The paths of the API, until they are generated. */
import type {
  AllowedAddress, AuditEntry, Environment, EnvironmentRow, Page, Role, Run, RunRow, Session, SetUpCheck, Settings, Token,
  Tool, ToolCheck, ToolRow, User, Version, VersionRow,
} from "./shapes";

interface Json<T> { content: { "application/json": T } }
interface Op<Res, Body = undefined, Path = Record<never, never>, Query = Record<never, never>> {
  parameters: { query?: Query; path: Path };
  requestBody: Body extends undefined ? undefined : Json<Body>;
  responses: { 200: Json<Res> };
}
interface Name { name: string }
type Cursor = { cursor?: string };

export interface paths {
  "/api/v1/session/": {
    get: Op<Session>;
    post: Op<Session, { username: string; password: string }>;
    delete: Op<undefined>;
  };
  "/api/v1/set-up/check/": { post: Op<SetUpCheck, { token: string }> };
  "/api/v1/set-up/": { post: Op<Session, { token: string; username?: string; password: string }> };
  "/api/v1/tools/": {
    get: Op<Page<ToolRow>, undefined, Record<never, never>, Cursor & { search?: string; state?: string }>;
    post: Op<Tool, { yaml: string }>;
  };
  "/api/v1/tools/validate/": { post: Op<ToolCheck, { yaml: string }> };
  "/api/v1/tools/{name}/": {
    get: Op<Tool, undefined, Name>;
    put: Op<Tool, { yaml: string; base_revision: number; note?: string }, Name>;
    delete: Op<undefined, undefined, Name>;
  };
  "/api/v1/tools/{name}/versions/": { get: Op<Page<VersionRow>, undefined, Name, Cursor> };
  "/api/v1/tools/{name}/versions/{revision}/": { get: Op<Version, undefined, Name & { revision: number }> };
  "/api/v1/tools/{name}/versions/{revision}/restore/": { post: Op<Tool, undefined, Name & { revision: number }> };
  "/api/v1/tools/{name}/publish/": { post: Op<Tool, { revision: number }, Name> };
  "/api/v1/tools/{name}/run/": {
    post: Op<
      { run: string },
      { params: Record<string, unknown>; environment?: string; revision?: number; until_step?: number },
      Name
    >;
  };
  "/api/v1/runs/": {
    get: Op<
      Page<RunRow>, undefined, Record<never, never>,
      Cursor & { kind?: string; name?: string; status?: string; from?: string; to?: string; user?: string }
    >;
  };
  "/api/v1/runs/{id}/": { get: Op<Run, undefined, { id: string }> };
  "/api/v1/runs/{id}/events/": { get: Op<{ events: unknown[] }, undefined, { id: string }, { after?: number; limit?: number }> };
  "/api/v1/runs/{id}/command/": { post: Op<{ ok: boolean; status: string }, { command: "cancel" }, { id: string }> };
  "/api/v1/runs/{id}/values/{key}/": { get: Op<string, undefined, { id: string; key: string }> };
  "/api/v1/environments/": {
    get: Op<Page<EnvironmentRow>, undefined, Record<never, never>, Cursor>;
    post: Op<EnvironmentRow, { name: string; description?: string }>;
  };
  "/api/v1/environments/{name}/": {
    get: Op<Environment, undefined, Name>;
    patch: Op<Environment, { description: string }, Name>;
    delete: Op<undefined, undefined, Name>;
  };
  "/api/v1/environments/{name}/variables/{variable}/": {
    put: Op<unknown, { value: string }, Name & { variable: string }>;
    delete: Op<undefined, undefined, Name & { variable: string }>;
  };
  "/api/v1/environments/{name}/secrets/{secret}/": {
    put: Op<unknown, { value: string; hosts: string[] }, Name & { secret: string }>;
    delete: Op<undefined, undefined, Name & { secret: string }>;
  };
  "/api/v1/users/": {
    get: Op<Page<User>, undefined, Record<never, never>, Cursor>;
    post: Op<User & { set_up_link: string }, { username: string; email?: string; role: Role }>;
  };
  "/api/v1/users/{username}/": {
    patch: Op<User, { role?: Role; active?: boolean; email?: string }, { username: string }>;
  };
  "/api/v1/users/{username}/reset/": { post: Op<{ set_up_link: string }, undefined, { username: string }> };
  "/api/v1/users/{username}/end-sessions/": { post: Op<undefined, undefined, { username: string }> };
  "/api/v1/tokens/": {
    get: Op<Page<Token>, undefined, Record<never, never>, Cursor>;
    post: Op<Token & { token: string }, { name: string; scope: Role; expires_at?: string }>;
  };
  "/api/v1/tokens/{id}/": { delete: Op<undefined, undefined, { id: string }> };
  "/api/v1/audit/": {
    get: Op<Page<AuditEntry>, undefined, Record<never, never>, Cursor & { actor?: string; action?: string }>;
  };
  "/api/v1/settings/": { get: Op<Settings>; patch: Op<Settings, { network: { allow: AllowedAddress[] } }> };
}
