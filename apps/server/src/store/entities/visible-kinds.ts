import type { Access, Permission } from "@gatehouse/contract";
import type { Principal } from "../../common/context.ts";
import type { Kind } from "./kind.ts";
import type { StoreDeps } from "./store-deps.ts";

/** Kinds of overrides have no `getID`, since overrides have no id of their own. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of all entities
type AnyKind = Omit<Kind<any>, "getID">;

/** A kind, and the required permission of the operation that reads one of its entities. */
export type ReadableKind = { kind: AnyKind; permission: Permission | Access | undefined };

/** The kinds whose entities the caller may read. */
export function visibleKinds({ kinds, by }: { kinds: StoreDeps["kinds"]; by: Pick<Principal, "permissions"> }): AnyKind[] {
  const permissions: ReadonlySet<string | undefined> = by.permissions;
  return kinds.filter(({ permission }) => permissions.has(permission)).map(({ kind }) => kind);
}
