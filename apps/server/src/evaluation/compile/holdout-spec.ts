import type { Schema } from "@gatehouse/contract/console";
import type { Rule, Spec } from "@gatehouse/evaluation";
import { everyone, failsGate, passesGate } from "./conditions.ts";
import { overrideRules } from "./override-rules.ts";
import type { Reach } from "./reach.ts";
import { gateSpec, rule } from "./specs.ts";

/** A holdout is a gate that those pass who are held out. The id of its rule tells the share, and its salt does not, so that shares grow. */
export function holdoutSpec(holdout: Schema<"Holdout">, overrides: Schema<"OverrideLists"> | undefined, reach: Reach, name: string): Spec {
  const { id, isEnabled: enabled, idType, passPercentage, targetingGateID, version } = holdout;
  const targeting = targetingGateID ? [targetingRule(targetingGateID, idType)] : [];
  const share = rule({
    id: `${id}:${passPercentage.toFixed(2)}:1`,
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

/**
 * The rules on top of what holdouts hold.
 * @param heldBy the names of the holdouts
 * @param outcome what units that are held out get: a gate's fail, or a value that is returned
 */
export function holdoutRules(heldBy: readonly string[], idType: string, outcome: Pick<Rule, "passPercentage" | "returnValue">): Rule[] {
  return heldBy.map((name) => rule({ id: name, idType, conditions: [passesGate(name, idType)], ...outcome }));
}

function targetingRule(gateID: string, idType: string): Rule {
  return rule({ id: "targetingGate", idType, passPercentage: 0, conditions: [failsGate(gateID, idType)], returnValue: true });
}
