import type { Schema } from "@gatehouse/contract/console";
import type { Rule, Spec } from "@gatehouse/evaluation";
import { everyone, failsGate, passesGate } from "./conditions.ts";
import { overrideRules } from "./override-rules.ts";
import type { RulesetScope } from "./ruleset-scope.ts";
import { gateSpec, rule } from "./specs.ts";

/** The id of the rule for units that fail the targeting gate. */
export const TARGETING_RULE = "targetingGate";

/**
 * Compiles a holdout to a gate that held-out units pass. The rule's id contains the share, but its salt does not, so that a larger share
 * only adds units.
 */
export function holdoutSpec(
  holdout: Schema<"Holdout">,
  overrides: Schema<"OverrideLists"> | undefined,
  reach: RulesetScope,
  name: string,
): Spec {
  const { id, isEnabled: enabled, idType, passPercentage, targetingGateID, version } = holdout;
  const targeting = targetingGateID ? [targetingRule(targetingGateID, idType)] : [];
  const share = rule({
    id: shareRuleID(holdout),
    salt: id,
    passPercentage,
    conditions: [everyone(idType)],
    returnValue: true,
    idType,
  });
  return gateSpec(
    "holdout",
    { id, enabled, idType, rules: [...overrideRules(overrides, reach, idType), ...targeting, share], version },
    name,
  );
}

/** The id of the rule that holds out a share of the units. */
export function shareRuleID({ id, passPercentage }: Pick<Schema<"Holdout">, "id" | "passPercentage">): string {
  return `${id}:${passPercentage.toFixed(2)}:1`;
}

/**
 * The rules that precede those of an entity that holdouts hold.
 * @param heldBy the names of the holdouts' gates
 * @param outcome of held-out units
 */
export function holdoutRules(heldBy: readonly string[], idType: string, outcome: Pick<Rule, "passPercentage" | "returnValue">): Rule[] {
  return heldBy.map((name) => rule({ id: name, idType, conditions: [passesGate(name, idType)], ...outcome }));
}

function targetingRule(gateID: string, idType: string): Rule {
  return rule({ id: TARGETING_RULE, idType, passPercentage: 0, conditions: [failsGate(gateID, idType)], returnValue: true });
}
