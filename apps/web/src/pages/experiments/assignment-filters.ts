// An experiment's rows of an assignment source, beside its name there. Pure.
import type { Schema } from "../../api.ts";
import { type CriterionDraft, criteriaDraft, criterionBody, faultsOfCriteria } from "../../criteria/criteria-draft.ts";
import { CONDITIONS, type Criterion } from "../../criteria/criteria-words.ts";
import { equal } from "../../targeting/equal.ts";
import type { Fault } from "../../targeting/types.ts";

export type AssignmentFilter = Schema<"AssignmentSourceFilter">;

const isEditable = ({ condition }: AssignmentFilter): boolean => Object.hasOwn(CONDITIONS, condition);

/** The filters as conditions of columns; undefined if there is one that the server took before it read filters, and takes no more. */
export function filterDrafts(filters: readonly AssignmentFilter[]): CriterionDraft[] | undefined {
  if (!filters.every(isEditable)) return undefined;
  return criteriaDraft(filters.map((filter) => ({ ...filter, type: "metadata", condition: filter.condition as Criterion["condition"] })));
}

/** Typed values stay as they are until they are sent. */
export const filtersOfDrafts = (drafts: readonly CriterionDraft[]): AssignmentFilter[] =>
  drafts.map(({ column, condition, values }) => ({ column, condition, values: [...values] }));

/** The filters as a request has them. */
export function filtersBody(filters: readonly AssignmentFilter[]): AssignmentFilter[] {
  const drafts = filterDrafts(filters);
  if (!drafts) return [...filters];
  return drafts.map((draft) => {
    const { type: _, ...body } = criterionBody(draft);
    return body;
  });
}

/** The faults of filters, unless they are as they were stored. */
export const faultsOfFilters = (stored: readonly AssignmentFilter[] = [], filters: readonly AssignmentFilter[]): Fault[] =>
  equal(stored, filters) ? [] : faultsOfCriteria(filterDrafts(filters) ?? [], "assignmentSourceFilters");
