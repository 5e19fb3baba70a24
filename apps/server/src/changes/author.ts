import { credentialsOfPerson } from "../accounts/account.ts";
import { findAccess } from "../accounts/person-access-store.ts";
import { findActiveKeysByName, isExpired } from "../authentication/active-key-store.ts";
import { toCredentials } from "../authentication/key-check.ts";
import type { Credentials, PermittedContext } from "../common/context.ts";
import { AppError } from "../common/errors.ts";
import { skipsReviews } from "../common/permissions.ts";
import type { Db } from "../store/database/unit-of-work.ts";

/** A request with its author. `did` says what the author did: `scheduled the change`. */
export type Authored = { author: { id: string; email: string | null }; operationId: string; reason: string; did: string };

/** A scheduled change as a request of its author. */
export function scheduledBy(change: { id: string; author: Authored["author"]; operationId: string; reason: string | null }): Authored {
  const reason = `Scheduled change ${change.id}${change.reason === null ? "." : `: ${change.reason}`}`;
  return { ...change, reason, did: "scheduled the change" };
}

/**
 * The credentials that the author of a change has now.
 * @throws AppError forbidden if the key was deactivated or deleted or has expired, or if the person can no longer access the project
 */
async function findAuthor(db: Db, projectID: string, { author: { id, email }, did }: Authored, now: number): Promise<Credentials> {
  if (email === null) {
    const [key] = await findActiveKeysByName(db, [{ projectID, id }]);
    if (!key) throw new AppError("forbidden", `The key ${id}, which ${did}, was deactivated or deleted.`);
    if (isExpired(key, now)) throw new AppError("forbidden", `The key ${id}, which ${did}, has expired.`);
    return toCredentials(key);
  }
  const access = await findAccess(db, id, projectID);
  if (!access) throw new AppError("forbidden", `${email}, who ${did}, can no longer access the project.`);
  return credentialsOfPerson(access, projectID);
}

/** The context of the request that makes the change now, or of the server. */
type Given = Pick<PermittedContext, "projectID" | "now" | "provisioning" | "origin">;

/** The context of the author, with the operation that the request calls. */
export async function contextOfAuthor(
  db: Db,
  authored: Authored,
  { projectID, now, provisioning, origin }: Given,
): Promise<PermittedContext> {
  const { actor, permissions, grantedBy, limits, publishing, administersInstance, scopes } = await findAuthor(db, projectID, authored, now);
  const principal = { permissions, grantedBy, limits, publishing, administersInstance };
  return {
    projectID,
    now,
    provisioning,
    // Another person may send the request, from their own address.
    ...(origin && { origin: { address: null, userAgent: null, requestID: origin.requestID } }),
    actor,
    ...principal,
    operationID: authored.operationId,
    reason: authored.reason,
    skipsReviews: skipsReviews(scopes),
  };
}
