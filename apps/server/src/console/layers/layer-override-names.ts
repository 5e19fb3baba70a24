import type { WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import type { ExperimentOnLayer } from "./layer-experiments.ts";

export type LayerOverrideLists = Pick<WritableSchema<"LayerOverridesUpdate">, "conditionalOverrides" | "idOverrides">;
type ConditionalOverride = LayerOverrideLists["conditionalOverrides"][number];
type IDOverride = LayerOverrideLists["idOverrides"][number];

type Named = { experimentName?: string | null; groupName: string };

/** Replaces the names of experiments by their ids. Keeps a name that none or several experiments have. */
export function nameByID({ conditionalOverrides, idOverrides }: LayerOverrideLists, experiments: ExperimentOnLayer[]): LayerOverrideLists {
  const ids = new Set(experiments.map(({ id }) => id));
  const toID = (name: string) => {
    const [match, another] = ids.has(name) ? [] : experiments.filter((experiment) => experiment.name === name);
    return match && !another ? match.id : name;
  };
  return {
    conditionalOverrides: conditionalOverrides.map((one) => ({ ...one, experimentName: toID(one.experimentName) })),
    idOverrides: idOverrides.map((one) => (one.experimentName ? { ...one, experimentName: toID(one.experimentName) } : one)),
  };
}

/**
 * Checks that the experiments are on the layer and have the groups. Overrides that are `known` may reference deleted ones.
 * @throws AppError invalid_request with every place
 */
export function requireNames(lists: LayerOverrideLists, known: LayerOverrideLists, experiments: ExperimentOnLayer[]): void {
  const violations: Violation[] = [];
  const conditions = new Set(known.conditionalOverrides.map(conditionKey));
  for (const [index, override] of lists.conditionalOverrides.entries()) {
    if (!conditions.has(conditionKey(override))) checkOne(override, `conditionalOverrides[${index}]`, experiments, violations);
  }
  const groups = new Set(known.idOverrides.map(groupKey));
  for (const [index, override] of lists.idOverrides.entries()) {
    if (!groups.has(groupKey(override))) checkOne(override, `idOverrides[${index}]`, experiments, violations);
  }
  if (violations.length > 0) throw invalid(violations);
}

function checkOne(
  { experimentName = null, groupName }: Named,
  place: string,
  experiments: ExperimentOnLayer[],
  violations: Violation[],
): void {
  const named = experimentName === null ? experiments : experiments.filter(({ id }) => id === experimentName);
  if (experimentName !== null && named.length === 0) {
    violations.push({
      property: `${place}.experimentName`,
      errorMessage: "must be the id or the unique name of an experiment in the layer",
    });
  } else if (!named.some(({ groups }) => groups.some(({ name }) => name === groupName))) {
    const whose = experimentName === null ? "an experiment in the layer" : `experiment ${experimentName}`;
    violations.push({ property: `${place}.groupName`, errorMessage: `must be the name of a group of ${whose}` });
  }
}

export function conditionKey({ type, name, experimentName, groupName }: ConditionalOverride): string {
  return JSON.stringify([type, name, experimentName, groupName]);
}

/** A field that is left out equals null. */
export function groupKey({ experimentName = null, idType = null, environment = null, groupName }: IDOverride): string {
  return JSON.stringify([experimentName, idType, environment, groupName]);
}
