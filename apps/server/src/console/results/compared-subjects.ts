import { type Subject, subjectOfHoldout, subjectOfRule } from "../../results/pulse/subject.ts";
import { analysesOfGate, analysesOfHoldout } from "../events/analyses.ts";
import type { Gate } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";

/** The rules of a gate that pass some units and fail others. */
export function subjectsOfGate(projectID: string, gate: Gate): Subject[] {
  return analysesOfGate(projectID, gate).flatMap((one) => ("ruleID" in one ? [subjectOfRule(gate.id, one.ruleID ?? "")] : []));
}

/** A holdout with held-out users. */
export function subjectsOfHoldout(projectID: string, holdout: Holdout): Subject[] {
  return analysesOfHoldout(projectID, holdout).map(({ id }) => subjectOfHoldout(id));
}
