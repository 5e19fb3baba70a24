import type { Request } from "../api.ts";
import { type Named, personName } from "./names.ts";

/** One page has all members in all but the largest projects. */
export const membersRequest = { query: { includeStaleMembers: true, limit: 1000 } } satisfies Request<"listUsers">;

/** Whether every word is in the name or the address. */
export function isFound(member: Named, search: string): boolean {
  const text = `${personName(member)} ${member.email}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
