import type { Role } from "@/shared/api/shapes";

/** From the least to the most. */
export const ROLES: readonly Role[] = ["viewer", "operator", "author", "admin"];

export function rolesUpTo(role: Role): readonly Role[] {
  return ROLES.slice(0, ROLES.indexOf(role) + 1);
}
