import { isDeepStrictEqual } from "node:util";
import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { toCriterion } from "../../results/sql/assignments.ts";
import { checkCriterion } from "../common/criteria-checks.ts";

type Filter = Schema<"AssignmentSourceFilter">;

/**
 * Checks the filters of an experiment's assignment source, unless they are as before: earlier releases took any, since they did not read them.
 * @param before undefined for a new experiment
 */
export function checkAssignmentFilters(
  before: readonly Filter[] | undefined,
  after: readonly Filter[] | undefined,
  violations: Violation[],
): void {
  if (!after || isDeepStrictEqual(before, after)) return;
  for (const [index, filter] of after.entries()) {
    const place = `assignmentSourceFilters[${index}]`;
    const criterion = toCriterion(filter);
    if ("reason" in criterion) violations.push({ property: `${place}.${criterion.field}`, errorMessage: criterion.reason });
    else checkCriterion(criterion, place, violations);
  }
}
