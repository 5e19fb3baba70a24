import { distinctTerms, type Fold, type Plan } from "../plans/plan.ts";

/** Folds of a unit's events that follow from the folds of parts of them. */
const FOLDS: readonly Fold["by"][] = ["sum", "any", "max", "min"];

/** The most terms whose amounts one row of `unit_day` has: each is a bit of its mask. */
export const MAX_TERMS = 16;

/**
 * Whether the amounts of a plan's units follow from those of single days of arrival, which can be stored. Others depend on the order of
 * events, on texts, on hours, or on events of a warehouse.
 */
export function isIncremental(plan: Plan): boolean {
  const terms = distinctTerms([plan]);
  return (
    plan.from === undefined &&
    terms.length <= MAX_TERMS &&
    terms.every(({ fold, sources }) => FOLDS.includes(fold.by) && sources.every((source) => !("marks" in source)))
  );
}
