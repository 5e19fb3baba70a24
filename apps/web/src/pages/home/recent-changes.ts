// Changes by others, as a person reads them. Pure.
import type { Schema } from "../../api.ts";
import { SINGLE } from "../../entity/review-title.ts";
import { isOfIDs, type Undoable } from "../../entity/undoing.ts";
import { entityNoun, isRestorable } from "../../kinds/kinds.ts";
import { isPlannedEndReached } from "../../results/run-days.ts";
import { actorWords } from "../../shell/actor-words.ts";
import type { KnownNames } from "../../targeting/field-words.ts";

type Change = Schema<"Change">;

/** Successive changes of one person to one entity. */
export type Recent = Undoable & {
  seq: number;
  /** Of the latest change. */
  time: number;
  actorID: string;
  actor: string;
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

const toRecent = (change: Change, deed: Recent["deed"], isLatest: boolean, names: KnownNames): Recent => ({
  seq: change.seq,
  time: change.time,
  actorID: change.actorID,
  actor: actorWords({ id: change.actorID, name: change.actorName }, names),
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
