// Interactions between experiments, in words. Pure.
import type { Schema } from "../api.ts";
import { counted, fixed } from "../charts/format.ts";
import { pText } from "./verdicts.ts";

type Interaction = Schema<"ExperimentInteraction">;
type Contrast = Schema<"InteractionContrast">;

/** The p-value below which assignments count as dependent. */
const IMBALANCED = 0.001;

export const isImbalanced = ({ independence }: Interaction): boolean => independence !== undefined && independence.pValue < IMBALANCED;

export function describeContrast({ isSignificant, reason }: Contrast): { name: string; tone: "bad" | undefined } {
  if (isSignificant) return { name: "Interaction", tone: "bad" };
  return { name: reason === undefined ? "No interaction shown" : "Not enough data", tone: undefined };
}

/** The number of interactions that were found. */
export function countText(interactions: readonly Interaction[]): string {
  const contrasts = interactions.flatMap(({ metrics }) => metrics.flatMap((metric) => metric.contrasts));
  const found = contrasts.filter(({ isSignificant }) => isSignificant).length;
  const among = `${counted(interactions.length, "other experiments")}`;
  return found === 0 ? `No interaction shown with ${among}.` : `${counted(found, "interactions")} with ${among}.`;
}

/** The users of both experiments, and the test of independent assignments. */
export function overlapText({ units, independence }: Interaction): string {
  const all = counted(
    units.reduce((sum, cell) => sum + cell.units, 0),
    "users",
  );
  return independence === undefined
    ? `${all} saw both.`
    : `${all} saw both. Independent assignments: chi-square ${fixed(independence.chiSquare, 2)}, p ${pText(independence.pValue)}.`;
}
