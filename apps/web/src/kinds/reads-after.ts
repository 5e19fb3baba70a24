import type { CallID } from "../api.ts";
import type { WebKind } from "./kind.ts";
import { isKind, kinds } from "./kinds.ts";

/**
 * The operations to call again after a change. Only lists after a deletion: the page of the deleted entity closes, or says so when it
 * is used.
 */
export function readsAfter({ entityType, operationID }: { entityType: string; operationID: string }): CallID[] {
  if (!isKind(entityType)) return ["listChanges"];
  const { list, read, versions, alsoReads, deletedBy }: WebKind = kinds[entityType];
  const reads = [list, read, versions, ...alsoReads, "listChanges" as const].filter((id) => id !== null);
  return deletedBy.some((id) => id === operationID) ? reads.filter((id) => id.startsWith("list")) : reads;
}
