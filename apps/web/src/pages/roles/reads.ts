import type { Request } from "../../api.ts";

export const rolesRequest = { query: { limit: 1000 } } satisfies Request<"listRoles">;
