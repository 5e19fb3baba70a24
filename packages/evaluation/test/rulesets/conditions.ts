import type { Condition } from "../../src/index.ts";
import { condition } from "../support/ruleset.ts";

export const passes = (gate: string): Condition => condition("pass_gate", { targetValue: gate });
export const fails = (gate: string): Condition => condition("fail_gate", { targetValue: gate });

export const field = (name: string, operator: string, targetValue: unknown): Condition =>
  condition("user_field", { field: name, operator, targetValue });

export const unit = (operator: string, targetValue: unknown, idType = "userID"): Condition =>
  condition("unit_id", { operator, targetValue, idType });

/** A condition on the unit's bucket among a thousand. */
export const bucket = (operator: string, targetValue: unknown, salt: string, idType = "userID"): Condition =>
  condition("user_bucket", { operator, targetValue, additionalValues: { salt }, idType });

/** The buckets from one up to another, as targets. */
export const buckets = (from: number, to: number): string[] => Array.from({ length: to - from }, (_, index) => String(from + index));
