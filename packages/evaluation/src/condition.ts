import { hashID } from "./hash.ts";
import type { Comparison } from "./operators/comparison.ts";
import { compileOperator } from "./operators/operator.ts";
import { isTimeOperator } from "./operators/times.ts";
import type { Condition } from "./ruleset.ts";
import type { EvaluationRuntime } from "./runtime.ts";
import type { Subject } from "./subject.ts";
import { userAgentField } from "./user-agent.ts";
import { environmentField, unitID, userField } from "./user-value.ts";
import { text } from "./value.ts";

type Holds = (subject: Subject, runtime: EvaluationRuntime) => boolean;
type Reader = (subject: Subject, runtime: EvaluationRuntime) => unknown;

/**
 * A condition that depends only on the user. `held` is its result in the evaluation with the number `stamp`. `read` reads the compared
 * value; null without one. `isByChance` is true if the result depends on a hash of the unit, so that few users share it.
 */
export type Test = { kind: "test"; holds: Holds; read: Reader | null; isByChance: boolean; stamp: number; held: boolean };

/**
 * A compiled condition. A `test` depends only on the user. All others depend on other specs: on a gate, on any of several gates being
 * `expected`, or on the user's group in an experiment.
 */
export type CompiledCondition =
  | Test
  | { kind: "gate"; name: string; expected: boolean }
  | { kind: "any_gate"; names: string[]; expected: boolean }
  | { kind: "experiment_group"; experiment: string; holds: Comparison };

/** Compiles a condition. Undefined if its type or operator is unknown. */
export function compileCondition(condition: Condition): CompiledCondition | undefined {
  const { type, targetValue } = condition;
  switch (type) {
    case "public":
      return test(() => true, null);
    case "pass_gate":
    case "fail_gate":
      return { kind: "gate", name: text(targetValue) ?? "", expected: type === "pass_gate" };
    case "multi_pass_gate":
    case "multi_fail_gate":
      if (!Array.isArray(targetValue)) return undefined;
      return { kind: "any_gate", names: targetValue.map(String), expected: type === "multi_pass_gate" };
    default:
      return compileComparison(condition);
  }
}

function compileComparison(condition: Condition): CompiledCondition | undefined {
  const { type, operator, targetValue } = condition;
  const read = reader(condition);
  if (operator === "in_segment_list" || operator === "not_in_segment_list") {
    return read && test(inList(read, text(targetValue) ?? "", operator === "in_segment_list"), read);
  }
  const holds = compileOperator(operator, targetValue);
  if (holds === undefined) return undefined;
  if (type === "experiment_group") return { kind: "experiment_group", experiment: condition.field ?? "", holds };
  return read && test((subject, runtime) => holds(read(subject, runtime)), read, type === "user_bucket");
}

function test(holds: Holds, read: Reader | null, isByChance = false): Test {
  return { kind: "test", holds, read, isByChance, stamp: 0, held: false };
}

/** The function that reads the value that a condition compares. Undefined for an unknown type. */
function reader(condition: Condition): Reader | undefined {
  switch (condition.type) {
    case "user_field":
      return userField(condition.field);
    case "unit_id":
      return unitID(condition.idType);
    case "user_bucket":
      return userBucket(condition);
    case "environment_field":
      return (subject, { defaultTier }) => environmentField(subject, condition.field ?? "", defaultTier);
    case "current_time":
      return isTimeOperator(condition.operator) ? (_subject, { now }) => now() : () => undefined;
    case "target_app":
      return (_subject, { appID }) => appID;
    case "ip_based":
      return countryReader(condition.field);
    case "ua_based":
      return agentReader(condition.field);
    default:
      return undefined;
  }
}

const USER_BUCKETS = 1000;

/** The unit's bucket, 0–999. */
function userBucket({ additionalValues, idType }: Condition): Reader {
  const salt = text(additionalValues?.salt) ?? "";
  const unit = unitID(idType);
  return (subject, { bucket }) => bucket(`${salt}.${text(unit(subject)) ?? ""}`, USER_BUCKETS);
}

function countryReader(field: string | null | undefined): Reader {
  const own = userField(field);
  const ip = userField("ip");
  if (field !== "country") return own;
  return (subject, { ipToCountry }) => {
    const value = own(subject);
    const address = value === undefined ? text(ip(subject)) : undefined;
    return address === undefined ? value : (ipToCountry(address) ?? undefined);
  };
}

function agentReader(field: string | null | undefined): Reader {
  const own = userField(field);
  const agent = userField("userAgent");
  const parsed = userAgentField(field ?? "");
  return (subject) => {
    const value = own(subject);
    const header = value === undefined ? text(agent(subject)) : undefined;
    return header === undefined ? value : parsed(header);
  };
}

function inList(read: Reader, name: string, expected: boolean) {
  return (subject: Subject, runtime: EvaluationRuntime) => {
    const id = text(read(subject, runtime));
    const listed = id !== undefined && (runtime.idList(name)?.has(hashID(id)) ?? false);
    return listed === expected;
  };
}
