import type { EvaluatedProject } from "./evaluated-project.ts";

/** SDKs leave gates with this prefix out of exposures and out of what client SDKs get. */
export function segmentName(segmentID: string): string {
  return `segment:${segmentID}`;
}

/** The gate that tells whether a unit passes an experiment's inline targeting rules. */
export function inlineTargetingName(experimentID: string): string {
  return segmentName(`inline_targeting:${experimentID}`);
}

/** The gate that decides who is held out. A gate that has the holdout's id keeps the name. */
export function holdoutName({ gates }: Pick<EvaluatedProject, "gates">, holdoutID: string): string {
  return gates.has(holdoutID) ? `holdout:${holdoutID}` : holdoutID;
}
