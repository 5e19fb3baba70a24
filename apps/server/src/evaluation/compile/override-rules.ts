import type { Schema } from "@gatehouse/contract/console";
import type { Rule } from "@gatehouse/evaluation";
import { idConditions } from "./conditions.ts";
import { specificFirst, withinEnvironments } from "./environments.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { rule } from "./specs.ts";

type OverrideLists = Schema<"OverrideLists">;
type List = { environment: string | null; unit: string; passing: readonly string[]; failing: readonly string[] };

/** The rules for passing and failing ids, which precede all others. Overrides of one environment precede those of all. */
export function overrideRules(overrides: OverrideLists | undefined, reach: RulesetScope, idType: string): Rule[] {
  if (!overrides) return [];
  return specificFirst(toLists(overrides, idType)).flatMap(({ environment, unit, passing, failing }) => [
    ...sideRules("pass", passing, environment, unit, reach),
    ...sideRules("fail", failing, environment, unit, reach),
  ]);
}

/** A failing rule has percentage 0 and the value of a passing one, since SDKs disagree on rules that return false. */
function sideRules(side: "pass" | "fail", ids: readonly string[], environment: string | null, unit: string, reach: RulesetScope): Rule[] {
  const within = withinEnvironments(environment === null ? null : [environment], reach, unit);
  if (!within) return [];
  const id = overrideRuleID(side, environment);
  const passPercentage = side === "pass" ? 100 : 0;
  return idConditions(ids, unit).map((one) => rule({ id, idType: unit, passPercentage, conditions: [...within, one], returnValue: true }));
}

/** @param environment null for overrides of all environments */
export function overrideRuleID(side: "pass" | "fail", environment: string | null): string {
  return `${side}:${environment ?? "all"}:id_override`;
}

function toLists(overrides: OverrideLists, idType: string): List[] {
  const { passingUserIDs, failingUserIDs, passingCustomIDs, failingCustomIDs, environmentOverrides } = overrides;
  return [
    { environment: null, unit: "userID", passing: passingUserIDs, failing: failingUserIDs },
    { environment: null, unit: idType, passing: passingCustomIDs, failing: failingCustomIDs },
    ...environmentOverrides.map(({ environment = null, unitID, passingIDs, failingIDs }) => ({
      environment,
      unit: unitID ?? "userID",
      passing: passingIDs,
      failing: failingIDs,
    })),
  ];
}
