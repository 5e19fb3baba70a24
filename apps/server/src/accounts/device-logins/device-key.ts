import type { Schema } from "@gatehouse/contract/console";
import type { PermittedContext } from "../../common/context.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { DAY_MS } from "../../common/utc-day.ts";
import { newKey } from "../../console/keys/key.ts";
import { createStores } from "../../console/stores.ts";
import { createChangeLog } from "../../store/change-log/change-log.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { credentialsOfPerson } from "../account.ts";
import type { AccountEnv } from "../account-env.ts";
import type { Session } from "../session-store.ts";
import type { Approval, DeviceLogin } from "./device-login.ts";

const SCOPE = { read: "omni_read_only", read_write: "omni_read_write" } as const satisfies Record<
  Schema<"DeviceLoginApproval">["access"],
  Schema<"Key">["scopes"][number]
>;

/**
 * Creates the key of a login in the name of the person who approves it. It has their role, so that it can't do more than they can.
 * @returns its secret
 * @throws AppError forbidden if the person may not create this key
 */
export async function createDeviceKey(
  db: Db,
  { host }: Pick<DeviceLogin, "host">,
  { projectID, access, keyDays }: Approval,
  by: Pick<Session, "person" | "projects">,
  { now, origin }: Pick<AccountEnv, "now" | "origin">,
): Promise<string> {
  const { actor, permissions, grantedBy, limits, publishing, administersInstance } = credentialsOfPerson(by, projectID);
  const principal = { permissions, grantedBy, limits, publishing, administersInstance };
  requirePermissions(principal, ["manage_keys"]);
  const reason = `Approved as a login of the command line on ${host}.`;
  const context: PermittedContext = { ...principal, actor, projectID, operationID: "createKey", now, origin, reason };
  const { keys } = createStores({ db, context, log: createChangeLog(db, context) });
  const membership = by.projects.find(({ id }) => id === projectID);
  const role = by.person.isAdministrator ? null : (membership?.role ?? null);
  const given = { type: "CONSOLE" as const, description: `CLI on ${host}`, scopes: [SCOPE[access]], role };
  const { key, secret } = newKey({ ...given, expiresTime: now + keyDays * DAY_MS }, context);
  await keys.create(key, secret);
  return secret;
}
