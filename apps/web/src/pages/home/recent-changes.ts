// Changes by others, as a person reads them. Pure.
import type { Schema } from "../../api.ts";
import { entityNoun, isRestorable } from "../../kinds/kinds.ts";
import { isPlannedEndReached } from "../../results/run-days.ts";
import type { KnownNames } from "../../targeting/field-words.ts";

type Change = Schema<"Change">;

/** Successive changes of one person to one entity. */
export type Recent = {
  seq: number;
  /** Of the latest change. */
  time: number;
  actorID: string;
  actor: string;
  entityType: string;
  entityID: string;
  /** Undefined for entities that have no name. */
  name: string | undefined;
  count: number;
  deed: "created" | "changed" | "deleted";
  /** The versions that the changes made: the first and the last one. */
  firstVersion: number;
  lastVersion: number;
  /** Whether the entity has not changed since. */
  isLatest: boolean;
  /** Whether only a segment's IDs changed, which versions don't have. */
  isOfIDs: boolean;
};

/**
 * The changes of everyone except one person, newest first. Successive changes of one actor to one entity are merged.
 * @param names of people, keys and others by their IDs
 */
export function recentChanges(changes: readonly Change[], personID: string, names: KnownNames = {}): Recent[] {
  const recent: Recent[] = [];
  const changedLater = new Set<string>();
  for (const change of changes) {
    const entity = JSON.stringify([change.entityType, change.entityID]);
    const isLatest = !changedLater.has(entity);
    changedLater.add(entity);
    if (change.actorID === personID) continue;
    const deed = deedOf(change);
    const last = recent.at(-1);
    const isSame = last?.entityType === change.entityType && last.entityID === change.entityID && last.actorID === change.actorID;
    // The reader's own change between two others separates them.
    if (last && isSame && last.deed !== "created" && last.firstVersion === change.version + 1) {
      last.count += 1;
      last.firstVersion = change.version;
      last.isOfIDs &&= isOfIDs(change);
      if (deed === "created") last.deed = last.deed === "deleted" ? "deleted" : "created";
      continue;
    }
    recent.push(toRecent(change, deed, isLatest, names));
  }
  return recent;
}

/** The person's last change that can be undone, alone. Undefined if they created the entity, because it has no earlier version. */
export function ownLastChange(changes: readonly Change[], personID: string, names: KnownNames = {}): Recent | undefined {
  const own = changes.find(({ actorID, entityType }) => actorID === personID && isRestorable(entityType));
  if (own === undefined || deedOf(own) === "created") return undefined;
  const newest = changes.find(({ entityType, entityID }) => entityType === own.entityType && entityID === own.entityID);
  return toRecent(own, deedOf(own), newest === own, names);
}

const deedOf = ({ isDeletion, version }: Change): Recent["deed"] => (isDeletion ? "deleted" : version === 1 ? "created" : "changed");

/** Without fields, as many IDs were added as removed. */
const isOfIDs = ({ entityType, fields, isDeletion, version }: Change): boolean =>
  entityType === "segment" && version > 1 && !isDeletion && fields.every(({ field }) => field === "count");

const toRecent = (change: Change, deed: Recent["deed"], isLatest: boolean, names: KnownNames): Recent => ({
  seq: change.seq,
  time: change.time,
  actorID: change.actorID,
  actor: change.actorName ?? names[change.actorID] ?? "Unnamed user",
  entityType: change.entityType,
  entityID: change.entityID,
  name: change.entityName ?? names[change.entityID],
  count: 1,
  deed,
  firstVersion: change.version,
  lastVersion: change.version,
  isLatest,
  isOfIDs: isOfIDs(change),
});

/** How to undo changes: the version before them, or why that would lose newer ones. Undefined for a creation. */
export function undoing({ deed, firstVersion, isLatest }: Recent): { version: number } | { refusal: string } | undefined {
  if (deed === "created") return undefined;
  return isLatest ? { version: firstVersion - 1 } : { refusal: CHANGED_SINCE };
}

/** Why changes can't be undone that others were made after. */
export const CHANGED_SINCE = "Changed again since then. To go back further, restore a version from its history.";

/** Types with one entity in a project. */
const SINGLE: readonly string[] = ["environment_set", "model_endpoint", "settings", "warehouse_connection"];

/** An entity without a name: “a comment”, “the settings”. */
export function namelessEntity(type: string): string {
  const noun = entityNoun(type);
  return `${SINGLE.includes(type) ? "the" : /^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

type Experiment = Pick<Schema<"Experiment">, "status" | "startTime" | "duration">;

/** Whether an experiment has ended, or run as long as planned, without a decision. */
export function isToDecide(experiment: Experiment, now: number): boolean {
  const { status } = experiment;
  if (status === "experiment_stopped") return true;
  if (status !== "active" && status !== "assignment_stopped") return false;
  return isPlannedEndReached(experiment, now);
}
