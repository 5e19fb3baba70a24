import { credentialsOfPerson } from "../accounts/account.ts";
import { findAccess } from "../accounts/person-access-store.ts";
import { findActiveKeysByName, isExpired } from "../authentication/active-key-store.ts";
import { toCredentials } from "../authentication/key-check.ts";
import type { Credentials, PermittedContext } from "../common/context.ts";
import { AppError } from "../common/errors.ts";
import type { ScheduledChange } from "../console/scheduled-changes/scheduled-change.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/**
 * The credentials that the author of a change has now.
 * @throws AppError forbidden if the key was deactivated or deleted or has expired, or if the person can no longer access the project
 */
async function findAuthor(db: Db, projectID: string, { id, email }: ScheduledChange["author"], now: number): Promise<Credentials> {
  if (email === null) {
    const [key] = await findActiveKeysByName(db, [{ projectID, id }]);
    if (!key) throw new AppError("forbidden", `The key ${id}, which scheduled the change, was deactivated or deleted.`);
    if (isExpired(key, now)) throw new AppError("forbidden", `The key ${id}, which scheduled the change, has expired.`);
    return toCredentials(key);
  }
  const access = await findAccess(db, id, projectID);
  if (!access) throw new AppError("forbidden", `${email}, who scheduled the change, can no longer access the project.`);
  return credentialsOfPerson(access, projectID);
}

type Given = Pick<PermittedContext, "projectID" | "now" | "provisioning">;

/** The context of the author, with the operation that the change calls. */
export async function contextOfAuthor(db: Db, change: ScheduledChange, { projectID, now, provisioning }: Given): Promise<PermittedContext> {
  const { actor, permissions, grantedBy, limits, administersInstance } = await findAuthor(db, projectID, change.author, now);
  const reason = `Scheduled change ${change.id}${change.reason === null ? "." : `: ${change.reason}`}`;
  const principal = { permissions, grantedBy, limits, administersInstance };
  return { projectID, now, provisioning, actor, ...principal, operationID: change.operationId, reason };
}
