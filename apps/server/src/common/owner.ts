import type { Actor } from "./context.ts";

/** The fields of an entity that name the person or key that is responsible for it. */
export type WithOwner = { owner?: { ownerID?: string; ownerEmail?: string; ownerName?: string } | null };

/** Whether an entity has an owner: an ID, an email address or a name. */
export function namesOwner({ owner }: WithOwner): boolean {
  return Boolean(owner?.ownerID || owner?.ownerEmail || owner?.ownerName);
}

/** The owner of an entity that belongs to a caller. */
export function toOwner({ id, name, email }: Actor) {
  const owner = { ownerID: id, ownerType: email === null ? "SDK_KEY" : "USER", ownerName: name } as const;
  return email === null ? owner : { ...owner, ownerEmail: email };
}
