import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { toCriterion } from "../../results/sql/assignments.ts";
import { checkCriterion } from "../common/criteria-checks.ts";

type Filter = Schema<"AssignmentSourceFilter">;

/** Checks the filters of an experiment's assignment source. */
export function checkAssignmentFilters(filters: readonly Filter[], violations: Violation[]): void {
  for (const [index, filter] of filters.entries()) {
    const place = `assignmentSourceFilters[${index}]`;
    const criterion = toCriterion(filter);
    if ("reason" in criterion) violations.push({ property: `${place}.${criterion.field}`, errorMessage: criterion.reason });
    else checkCriterion(criterion, place, violations);
  }
}
