import type { Schema } from "@gatehouse/contract/console";
import type { Spec } from "@gatehouse/evaluation";
import { everyone } from "./conditions.ts";
import { segmentName } from "./names.ts";
import { rule, segmentGate } from "./specs.ts";

export type GroupCondition = Pick<Schema<"Condition">, "operator" | "targetValue" | "field">;

type GroupTest = (group: string | null) => boolean;

/**
 * The name of the gate that replaces an experiment_group condition. Older SDKs do not know the condition, and newer ones log an exposure of
 * the experiment for it.
 */
export function experimentGroupName({ field, operator, targetValue }: GroupCondition): string {
  return segmentName(`experiment_group:${field}:${operator}:${JSON.stringify(targetValue ?? null)}`);
}

/** A gate that units pass if the condition matches their group. It has the conditions of the experiment in the same order. */
export function experimentGroupGate(experiment: Spec, given: GroupCondition): Spec {
  const holds = toTest(given);
  const rules = experiment.rules.map(({ isExperimentGroup: _, groupName = null, ...one }) => ({
    ...one,
    groupName: null,
    passPercentage: holds(groupName) ? 100 : 0,
    returnValue: true,
  }));
  return { ...noExperimentGroupGate(given), idType: experiment.idType, rules: [...rules, ...noGroupRules(holds, experiment.idType)] };
}

/** The gate for an experiment that is not evaluated: no unit is in a group. */
export function noExperimentGroupGate(given: GroupCondition): Spec {
  return segmentGate(experimentGroupName(given), "userID", noGroupRules(toTest(given), "userID"));
}

function noGroupRules(holds: GroupTest, idType: string) {
  return holds(null) ? [rule({ id: "noGroup", idType, conditions: [everyone(idType)], returnValue: true })] : [];
}

/** A unit without a group does not match any list. Operators that do not compare names never match. */
function toTest({ operator, targetValue }: GroupCondition): GroupTest {
  const exact = new Set([targetValue ?? []].flat().map(String));
  const caseless = new Set([...exact].map((name) => name.toLowerCase()));
  const isListed: GroupTest = (group) => group !== null && exact.has(group);
  const isListedInAnyCase: GroupTest = (group) => group !== null && caseless.has(group.toLowerCase());
  switch (operator) {
    case "any":
      return isListedInAnyCase;
    case "none":
      return (group) => !isListedInAnyCase(group);
    case "any_case_sensitive":
      return isListed;
    case "none_case_sensitive":
      return (group) => !isListed(group);
    case "is_null":
      return (group) => group === null;
    case "is_not_null":
      return (group) => group !== null;
    default:
      return () => false;
  }
}
