import type { RoleMapping } from "../accounts/role-mapping.ts";
import type { PermittedContext } from "../common/context.ts";
import { INSTANCE_PROJECT } from "../common/context.ts";
import { EVERY_PERMISSION } from "../common/permissions.ts";
import { createStores, type Stores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** The operator's settings for identity providers. */
export type ScimConfig = {
  tokens: string[];
  /** The role for each group. Undefined if groups don't decide roles. */
  roles: RoleMapping | undefined;
};

/** Values that the server adds to a request of the SCIM API: the transaction, the caller and the time. */
export type ScimEnv = {
  db: Db;
  context: PermittedContext;
  roles: RoleMapping | undefined;
  /** The URL of the API: `https://flags.example.com/scim/v2` */
  baseUrl: string;
};

type Request = Pick<PermittedContext, "operationID" | "now"> & { origin: NonNullable<PermittedContext["origin"]> };

/** All identity providers act under one name, since their tokens have no names. */
export const SCIM_ACTOR = { id: "scim", name: "SCIM", email: null };

/** The context of an identity provider's request. */
export function toScimContext({ operationID, now, origin }: Request): PermittedContext {
  const principal = {
    permissions: EVERY_PERMISSION,
    grantedBy: "the SCIM token",
    limits: null,
    publishing: null,
    administersInstance: true,
  };
  return { actor: SCIM_ACTOR, projectID: INSTANCE_PROJECT, operationID, now, origin, ...principal };
}

/** The stores of a project, or of the instance. */
export function openStores({ db, context }: Pick<ScimEnv, "db" | "context">, projectID = INSTANCE_PROJECT): Stores {
  const own = { ...context, projectID };
  return createStores({ db, context: own, log: createChangeLog(db, own) });
}
