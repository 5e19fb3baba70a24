import type { EvaluatedProject } from "../../console/evaluated-project.ts";

/** SDKs exclude gates with this prefix from exposures, and from the values for client SDKs. */
export function segmentName(segmentID: string): string {
  return `segment:${segmentID}`;
}

/** The gate of an experiment's inline targeting rules. */
export function inlineTargetingName(experimentID: string): string {
  return segmentName(`inline_targeting:${experimentID}`);
}

/** The gate that users pass who get a change that is being released. */
export function releaseName(kind: "gate" | "dynamic_config", id: string): string {
  return segmentName(`release:${kind}:${id}`);
}

/** The gate that a share of the users passes: those who pass a rule of a dynamic config that is being released. */
export function releaseShareName(configID: string, salt: string): string {
  return segmentName(`release_share:${configID}:${salt}`);
}

/** The gate that decides about held-out users. Its name is the holdout's id, unless a gate has that id. */
export function holdoutName({ gates }: Pick<EvaluatedProject, "gates">, holdoutID: string): string {
  return gates.has(holdoutID) ? `holdout:${holdoutID}` : holdoutID;
}
