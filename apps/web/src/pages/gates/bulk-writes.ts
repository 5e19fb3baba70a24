// Changes of several gates at once. Pure: which gates would change, and what is sent for them.
import type { BatchRequest, Schema } from "../../api.ts";

type Gate = Schema<"Gate">;

export type BulkAction =
  | { id: "enable" }
  | { id: "disable" }
  | { id: "archive" }
  | { id: "tag"; tag: string }
  | { id: "untag"; tag: string };

/** Why a gate stays as it is; undefined if it changes. */
export function unaffected(gate: Gate, action: BulkAction): string | undefined {
  const isArchived = gate.status === "Archived";
  switch (action.id) {
    case "enable":
      return isArchived ? "Archived: unarchive it first" : gate.isEnabled ? "Already enabled" : undefined;
    case "disable":
      return isArchived ? "Archived" : gate.isEnabled ? undefined : "Already disabled";
    case "archive":
      return isArchived ? "Already archived" : undefined;
    case "tag":
      return gate.tags.includes(action.tag) ? "Has the tag already" : undefined;
    case "untag":
      return gate.tags.includes(action.tag) ? undefined : "Does not have the tag";
  }
}

/** A gate and the ETag with which it was read. */
export type ReadGate = { gate: Gate; etag: string };

/** What is sent for the gates that change. Each is written only on the version that was read, so that nobody's change is lost. */
export function bulkRequests(gates: readonly ReadGate[], action: BulkAction): BatchRequest[] {
  return gates.filter(({ gate }) => unaffected(gate, action) === undefined).map((one) => requestFor(one, action));
}

function requestFor({ gate: { id, tags }, etag: ifMatch }: ReadGate, action: BulkAction): BatchRequest {
  const path = { id };
  if (action.id === "enable") return { operationId: "enableGate", path, ifMatch };
  if (action.id === "disable") return { operationId: "disableGate", path, ifMatch };
  if (action.id === "archive") return { operationId: "archiveGate", path, body: {}, ifMatch };
  const changed = action.id === "tag" ? [...tags, action.tag] : tags.filter((tag) => tag !== action.tag);
  return { operationId: "patchGate", path, body: { tags: changed }, ifMatch };
}
