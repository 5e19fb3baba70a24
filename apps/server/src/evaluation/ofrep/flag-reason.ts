import type { Schema } from "@gatehouse/contract/evaluation";
import type { Condition, ParamStoreEvaluation, Reason, Rule, Spec } from "@gatehouse/evaluation";

import { isSwitch } from "../compile/environments.ts";

export type FlagReason = Schema<"EvaluatedFlag">["reason"];

const reasons = new WeakMap<Spec<unknown>, ReadonlyMap<string, FlagReason>>();

/** OFREP's reason for a spec's value. "No rule matched" is TARGETING_MATCH, since the rules did evaluate the context. */
export function specReason(spec: Spec<unknown>, reason: Reason, ruleID: string): FlagReason {
  if (reason === "disabled") return "DISABLED";
  if (reason !== "recognised") return "UNKNOWN";
  return ruleReasons(spec).get(ruleID) ?? (spec.rules.length === 0 ? "STATIC" : "TARGETING_MATCH");
}

/** The reason of each rule of a spec, computed once for each spec. */
function ruleReasons(spec: Spec<unknown>): ReadonlyMap<string, FlagReason> {
  const known = reasons.get(spec);
  if (known !== undefined) return known;
  const found = new Map<string, FlagReason>();
  for (const [index, rule] of spec.rules.entries())
    if (!found.has(rule.id)) found.set(rule.id, ruleReason(rule as Rule<Condition>, index === 0));
  reasons.set(spec, found);
  return found;
}

/** Only a first rule for everyone gives the same value for every context. Whether a later one is reached depends on the context. */
function ruleReason(rule: Rule<Condition>, isFirst: boolean): FlagReason {
  if (isSwitch(rule)) return "DISABLED";
  const { conditions, passPercentage, isExperimentGroup } = rule;
  const isDivided = passPercentage > 0 && passPercentage < 100;
  if (isDivided || isExperimentGroup || conditions.some(({ type }) => type === "user_bucket")) return "SPLIT";
  return isFirst && conditions.every(({ type }) => type === "public") ? "STATIC" : "TARGETING_MATCH";
}

/** A param store has no rules itself; the entities that its parameters reference have. */
export function storeReason({ isStatic }: ParamStoreEvaluation): FlagReason {
  return isStatic ? "STATIC" : "TARGETING_MATCH";
}
