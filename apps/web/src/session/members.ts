import type { Request } from "../api.ts";

/** One page has all members in all but the largest projects. */
export const membersRequest = { query: { includeStaleMembers: true, limit: 1000 } } satisfies Request<"listUsers">;
