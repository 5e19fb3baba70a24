import { customField, isField, propertyField } from "../../results/sql/dimension.ts";
import type { Experiment } from "../experiments/experiment.ts";

type Dimensions = Pick<Experiment, "preComputedUserDimensions" | "assignmentSourceName" | "qualifyingEventName">;

/** The dimensions that an experiment names, each once, as requests name them. */
export function dimensionsNamedBy({ preComputedUserDimensions = [] }: Dimensions): string[] {
  const fields = preComputedUserDimensions.map(({ name, propertySource }) =>
    propertySource ? propertyField({ name: propertySource, column: name }) : isField(name) ? name : customField(name),
  );
  return [...new Set(fields)];
}

/** Whether the fields that divide units well can be found: with units on the warehouse, each field costs a statement there. */
export const findsFields = ({ assignmentSourceName, qualifyingEventName }: Dimensions): boolean =>
  !assignmentSourceName && !qualifyingEventName;
