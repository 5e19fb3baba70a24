import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import { shorten } from "../../common/place.ts";
import { timeError } from "../../common/time-range.ts";
import {
  convertTarget,
  effectiveOperator,
  isVersionOperator,
  type Operand,
  operandFor,
  operandWithoutOperator,
} from "./condition-operand.ts";
import { isRange, rangesError } from "./ip-ranges.ts";

type Condition = Schema<"Condition">;

const OPERAND_TEXT = {
  list: "must be a list",
  string: "must be one string",
  number: "must be a number",
  nothing: "must be left out",
} satisfies Record<Operand, string>;

/** Checks beyond the schema that a condition fits its type and operator. `place` is such as `rules[0].conditions[1]`. */
export function checkCondition(condition: Condition, place: string, violations: Violation[]): void {
  const { type, field, customID } = condition;
  const operator = effectiveOperator(condition);
  const refuse = (property: string, errorMessage: string) => violations.push({ property: `${place}.${property}`, errorMessage });
  const implied = operandWithoutOperator(type);
  if (implied && operator) refuse("operator", `must be left out with type ${type}`);
  // An environment_tier condition without an operator means `any`.
  if (!implied && !operator && type !== "environment_tier") refuse("operator", `is required with type ${type}`);
  if (type === "custom_field" && !field) refuse("field", "is required with type custom_field");
  if (type === "unit_id" && !customID) refuse("customID", "is required with type unit_id");
  const fault = timeErrorIn(condition) ?? versionErrorIn(condition) ?? rangeErrorIn(condition);
  if (fault) refuse("targetValue", fault);
  const operand = operandFor(condition);
  if (operand && toOperand(convertTarget(condition)) !== operand) {
    refuse("targetValue", `${OPERAND_TEXT[operand]} with ${implied ? `type ${type}` : `operator ${operator}`}`);
  }
}

function toOperand(value: Condition["targetValue"]): Operand {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "string" : "number";
}

/** The reason why the target of a comparison of times is implausible. */
function timeErrorIn(condition: Condition): string | undefined {
  const operator = effectiveOperator(condition);
  const target = convertTarget(condition);
  const isTime = operator === "before" || operator === "after" || operator === "on";
  return isTime && typeof target === "number" ? timeError(target) : undefined;
}

/** SDKs compare versions up to the first part that is not a number. */
const BEGINS_WITH_NUMBER = /^\s*\+?\d+\s*(?:[.-]|$)/;

/** Why no version can match the target. */
function versionErrorIn(condition: Condition): string | undefined {
  const target = convertTarget(condition);
  if (!isVersionOperator(effectiveOperator(condition)) || typeof target !== "string" || BEGINS_WITH_NUMBER.test(target)) return undefined;
  return `must begin with a number, such as 2.10.3. SDKs match no version with ${shorten(target)}`;
}

/** Why ranges of IP addresses cannot be matched. Lists without ranges are compared as text. */
function rangeErrorIn(condition: Condition): string | undefined {
  const operator = effectiveOperator(condition);
  const targets = [convertTarget(condition) ?? []].flat().map(String);
  if (condition.type !== "ip_address" || !operator || !targets.some(isRange)) return undefined;
  if (operator === "any") return rangesError(targets);
  const isWhole = operator === "none" || operator.endsWith("_case_sensitive");
  return isWhole ? `cannot have ranges with operator ${operator}. Use any, or a segment with any for the opposite` : undefined;
}
