// Changes by others, as a person reads them. Pure.
import type { Schema } from "../../api.ts";
import { isPlannedEndReached } from "../../results/run-days.ts";

type Change = Schema<"Change">;

/** Successive changes of one person to one entity. */
export type Recent = {
  seq: number;
  /** Of the latest change. */
  time: number;
  actor: string;
  entityType: string;
  entityID: string;
  name: string;
  count: number;
  deed: "created" | "changed" | "deleted";
};

/** The changes of everyone except one person, newest first. Successive changes of one actor to one entity are merged. */
export function recentChanges(changes: readonly Change[], personID: string): Recent[] {
  const recent: Recent[] = [];
  for (const change of changes) {
    if (change.actorID === personID) continue;
    const deed = change.isDeletion ? "deleted" : change.version === 1 ? "created" : "changed";
    const last = recent.at(-1);
    const isSame = last?.entityType === change.entityType && last.entityID === change.entityID && last.actor === nameActor(change);
    if (last && isSame && last.deed !== "created") {
      last.count += 1;
      if (deed === "created") last.deed = last.deed === "deleted" ? "deleted" : "created";
      continue;
    }
    recent.push({
      seq: change.seq,
      time: change.time,
      actor: nameActor(change),
      entityType: change.entityType,
      entityID: change.entityID,
      name: change.entityName ?? change.entityID,
      count: 1,
      deed,
    });
  }
  return recent;
}

const nameActor = ({ actorName, actorID }: Change): string => actorName ?? actorID;

type Experiment = Pick<Schema<"Experiment">, "status" | "startTime" | "duration">;

/** Whether an experiment has ended, or run as long as planned, without a decision. */
export function isToDecide(experiment: Experiment, now: number): boolean {
  const { status } = experiment;
  if (status === "experiment_stopped") return true;
  if (status !== "active" && status !== "assignment_stopped") return false;
  return isPlannedEndReached(experiment, now);
}
