import type { Schema } from "@gatehouse/contract/console";
import type { Condition } from "@gatehouse/evaluation";
import { convertTarget, effectiveOperator } from "../../console/common/condition-operand.ts";
import { addressPattern, isRange, rangesError } from "../../console/common/ip-ranges.ts";
import { condition, everyone, failsGate, nobody, passesGate } from "./conditions.ts";
import { experimentGroupName } from "./experiment-group-gate.ts";
import { segmentName } from "./names.ts";
import type { RulesetScope } from "./ruleset-scope.ts";

type ConsoleCondition = Schema<"Condition">;
type Source = { type: string; field?: string };

/** The wire type and field of the value that SDKs test for each type of condition. */
const SOURCES: Partial<Record<ConsoleCondition["type"], Source>> = {
  app_version: { type: "user_field", field: "appVersion" },
  browser_name: { type: "ua_based", field: "browser_name" },
  browser_version: { type: "ua_based", field: "browser_version" },
  country: { type: "ip_based", field: "country" },
  device_model: { type: "user_field", field: "deviceModel" },
  email: { type: "user_field", field: "email" },
  environment_tier: { type: "environment_field", field: "tier" },
  locale: { type: "user_field", field: "locale" },
  os_name: { type: "ua_based", field: "os_name" },
  os_version: { type: "ua_based", field: "os_version" },
  time: { type: "current_time" },
  user_agent: { type: "user_field", field: "userAgent" },
};

/**
 * Translates a condition of the console to the wire format. Conditions that only a browser can evaluate (`url`, `javascript`) and ids that
 * were encoded elsewhere (`encoded_any`) never match.
 */
export function toCondition(given: ConsoleCondition, reach: RulesetScope, idType: string): Condition {
  const { type, field, customID } = given;
  const target = String(convertTarget(given) ?? "");
  if (given.operator === "encoded_any") return nobody(idType);
  switch (type) {
    case "public":
      return everyone(idType);
    case "passes_gate":
      return passesGate(target, idType);
    case "fails_gate":
      return failsGate(target, idType);
    case "passes_segment":
      return passesGate(segmentName(target), idType);
    case "fails_segment":
      return failsGate(segmentName(target), idType);
    case "experiment_group":
      return field ? passesGate(experimentGroupName(given), idType) : nobody(idType);
    case "target_app":
      return isOneOfTargetApps(given, reach) ? everyone(idType) : nobody(idType);
    case "user_id":
      return compared(given, { type: "unit_id" }, "userID");
    case "unit_id":
      return compared(given, { type: "unit_id" }, customID ?? idType);
    case "ip_address":
      return compared(withPattern(given), { type: "user_field", field: "ip" }, idType);
    case "custom_field":
      return compared(given, { type: "user_field", ...(field && { field }) }, idType);
    default: {
      const source = SOURCES[type];
      return source ? compared(given, source, idType) : nobody(idType);
    }
  }
}

/** A list with ranges of IP addresses as a pattern, since SDKs know no ranges. Ranges that the API refuses never match. */
function withPattern(given: ConsoleCondition): ConsoleCondition {
  const targets = [convertTarget(given) ?? []].flat().map(String);
  if (effectiveOperator(given) !== "any" || !targets.some(isRange) || rangesError(targets)) return given;
  return { ...given, operator: "str_matches", targetValue: addressPattern(targets) };
}

/** SDKs lack an operator for missing values. All of them treat a missing value as equal to null. */
function compared(given: ConsoleCondition, { type, field }: Source, idType: string): Condition {
  const operator = effectiveOperator(given);
  const targetValue = convertTarget(given);
  const place = field === undefined ? {} : { field };
  if (operator === "is_null") return condition(type, idType, { operator: "eq", ...place });
  if (operator === "is_not_null") return condition(type, idType, { operator: "neq", ...place });
  const isTier = type === "environment_field" && !operator;
  const target = isTier || Array.isArray(targetValue) ? [targetValue ?? []].flat().map(String) : targetValue;
  return condition(type, idType, { operator: operator ?? "any", targetValue: target, ...place });
}

/** The target apps of a key are known when the ruleset is compiled. */
function isOneOfTargetApps(given: ConsoleCondition, { targetApps }: RulesetScope): boolean {
  const { operator, targetValue } = given;
  const isCaseSensitive = operator?.endsWith("_case_sensitive") ?? false;
  const toKey = (name: string | number) => (isCaseSensitive ? String(name) : String(name).toLowerCase());
  const targets = new Set([targetValue ?? []].flat().map(toKey));
  const isAmong = targetApps.some((app) => targets.has(toKey(app)));
  if (operator === "any" || operator === "any_case_sensitive") return isAmong;
  return (operator === "none" || operator === "none_case_sensitive") && !isAmong;
}
