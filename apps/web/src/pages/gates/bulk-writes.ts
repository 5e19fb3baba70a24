// Changes of several gates at once. Pure: the gates that would change, and their requests.
import type { BatchRequest, Impact, Schema } from "../../api.ts";
import { formatNumber } from "../../ui/number-text.ts";

type Gate = Schema<"Gate">;

export type BulkAction =
  /** In one environment, or everywhere without one. */
  | { id: "enable"; environment?: string }
  | { id: "disable"; environment?: string }
  | { id: "archive" }
  | { id: "unarchive" }
  | { id: "tag"; tag: string }
  | { id: "untag"; tag: string };

/** Why a gate stays as it is; undefined if it changes. */
export function unaffected(gate: Gate, action: BulkAction): string | undefined {
  const isArchived = gate.status === "Archived";
  if ("environment" in action && action.environment !== undefined && !isArchived)
    return unaffectedIn(gate, action.id === "enable", action.environment);
  switch (action.id) {
    case "enable":
      return isArchived ? "Archived. Unarchive it first." : gate.isEnabled ? "Already enabled" : undefined;
    case "disable":
      return isArchived ? "Archived" : gate.isEnabled ? undefined : "Already disabled";
    case "archive":
      return isArchived ? "Already archived" : undefined;
    case "unarchive":
      return isArchived ? undefined : "Not archived";
    case "tag":
      return gate.tags.includes(action.tag) ? "Already has the tag" : undefined;
    case "untag":
      return gate.tags.includes(action.tag) ? undefined : "Doesn’t have the tag";
  }
}

function unaffectedIn({ isEnabled, disabledEnvironments = [] }: Gate, isOn: boolean, environment: string): string | undefined {
  if (disabledEnvironments.includes(environment) === isOn) return undefined;
  if (!isEnabled) return "Disabled in all environments";
  return `Already ${isOn ? "on" : "off"} in ${environment}`;
}

/** A gate and the ETag with which it was read. */
export type ReadGate = { gate: Gate; etag: string };

/** The requests for the gates that change. Each names the version that was read, so that no one's change is lost. */
export function bulkRequests(gates: readonly ReadGate[], action: BulkAction): BatchRequest[] {
  return gates.filter(({ gate }) => unaffected(gate, action) === undefined).map((one) => requestFor(one, action));
}

function requestFor({ gate: { id, tags }, etag: ifMatch }: ReadGate, action: BulkAction): BatchRequest {
  const path = { id };
  const place = "environment" in action && action.environment !== undefined ? { query: { environment: action.environment } } : undefined;
  if (action.id === "enable") return { operationId: "enableGate", path, ...place, ifMatch };
  if (action.id === "disable") return { operationId: "disableGate", path, ...place, ifMatch };
  if (action.id === "archive") return { operationId: "archiveGate", path, body: {}, ifMatch };
  if (action.id === "unarchive") return { operationId: "unarchiveGate", path, body: {}, ifMatch };
  const { id: verb, tag } = action;
  const changed = verb === "tag" ? [...tags, tag] : tags.filter((one) => one !== tag);
  return { operationId: "patchGate", path, body: { tags: changed }, ifMatch };
}

const VERBS = {
  enable: "Enable",
  disable: "Disable",
  archive: "Archive",
  unarchive: "Unarchive",
  tag: "Tag",
  untag: "Untag",
} as const satisfies Record<BulkAction["id"], string>;

/** “Archive 34 gates”, “Disable 1 gate in staging”. */
export const bulkLabel = (action: BulkAction, count: number): string =>
  `${VERBS[action.id]} ${count === 1 ? "1 gate" : `${count} gates`}${inEnvironment(action)}`;

const DONE = {
  enable: "enabled",
  disable: "disabled",
  archive: "archived",
  unarchive: "unarchived",
  tag: "tagged",
  untag: "untagged",
} as const satisfies Record<BulkAction["id"], string>;

/** “34 gates archived.”, “1 gate disabled in staging.” */
export const bulkDone = (action: BulkAction, count: number): string =>
  `${count === 1 ? "1 gate" : `${count} gates`} ${DONE[action.id]}${inEnvironment(action)}.`;

/** “ in staging”; empty if the action counts everywhere. */
export const inEnvironment = (action: BulkAction): string =>
  "environment" in action && action.environment !== undefined ? ` in ${action.environment}` : "";

/** A gate with how many users seen lately would get another value of it, in all environments. */
export type GateRisk = { gate: Gate; users: number };

/** The gates by the importance of their change: first gates with changed values for users, then the most checked ones. */
export function byRisk(gates: readonly ReadGate[], impact: Impact | undefined): GateRisk[] {
  const users = new Map<string, number>();
  for (const { type, id, count } of (impact ?? []).flatMap(({ transitions }) => transitions))
    if (type === "gate") users.set(id, (users.get(id) ?? 0) + count);
  return gates
    .map(({ gate }) => ({ gate, users: users.get(gate.id) ?? 0 }))
    .toSorted((one, other) => other.users - one.users || other.gate.checksPerHour - one.gate.checksPerHour);
}

/** Gates that applications use: with checks in the last hour, or users who would get another value. */
export const isUsed = ({ gate: { checksPerHour }, users }: GateRisk): boolean => checksPerHour > 0 || users > 0;

/** “20 of these 100 gates were checked in the last hour.” */
export function checkedText(checked: number, total: number): string {
  if (total === 1) return `This gate was ${checked === 1 ? "" : "not "}checked in the last hour.`;
  if (checked === 0) return `None of these ${total} gates were checked in the last hour.`;
  return `${checked} of these ${total} gates ${checked === 1 ? "was" : "were"} checked in the last hour.`;
}

/** “263 users would get a different value, 733 checks in the last hour”. */
export function riskText({ gate: { checksPerHour }, users }: GateRisk): string {
  const counted = (count: number, one: string, many: string) => (count === 1 ? `1 ${one}` : `${formatNumber(count)} ${many}`);
  return [
    ...(users > 0 ? [counted(users, "user would get a different value", "users would get a different value")] : []),
    checksPerHour > 0 ? `${counted(checksPerHour, "check", "checks")} in the last hour` : "not checked in the last hour",
  ].join(", ");
}

/** The requests that undo the changes: each gate as it was, unless someone changed it since. @param etags after the changes, by id */
export function undoRequests(
  requests: readonly BatchRequest[],
  gates: readonly ReadGate[],
  etags: ReadonlyMap<string, string>,
): BatchRequest[] {
  const changed = new Set(requests.map(({ path }) => (path as { id: string }).id));
  return gates
    .filter(({ gate }) => changed.has(gate.id))
    .map(({ gate: { id, version } }) => {
      const ifMatch = etags.get(id);
      return { operationId: "restoreGateVersion", path: { id, version }, ...(ifMatch !== undefined && { ifMatch }) };
    });
}
