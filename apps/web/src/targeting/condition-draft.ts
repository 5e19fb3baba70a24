import { CONDITION_TYPES, conditionInput, effectiveOperator, inputFor } from "./condition-types.ts";
import type { ValueInput } from "./operators.ts";
import type { Condition, ConditionType, Operator, TargetValue } from "./types.ts";

/** A condition of this type to be filled in, with its first operator. */
export function newCondition(type: ConditionType): Condition {
  return compose(type, CONDITION_TYPES[type].operators[0], undefined, {});
}

/** The condition with another type. It keeps the operator if the new type offers it, and the value as far as it makes sense. */
export function withType(condition: Condition, type: ConditionType): Condition {
  if (condition.type === type) return condition;
  const { operators } = CONDITION_TYPES[type];
  const own = effectiveOperator(condition);
  const operator = own !== undefined && operators.includes(own) ? own : operators[0];
  return compose(type, operator, converted(condition, inputFor(type, operator)), {});
}

/** The condition with another operator. It keeps the value as far as it makes sense: a list of one becomes a text, and a text a list. */
export function withOperator(condition: Condition, operator: Operator): Condition {
  return compose(condition.type, operator, converted(condition, inputFor(condition.type, operator)), condition);
}

/** The condition with another value. Null, undefined and an empty text leave it without one. */
export function withValue(condition: Condition, value: TargetValue | null | undefined): Condition {
  return compose(condition.type, effectiveOperator(condition), value === "" ? undefined : (value ?? undefined), condition);
}

/** The condition with another name that its type needs: of a custom field, a unit ID type or an experiment. Groups go with their experiment. */
export function withExtra(condition: Condition, name: string): Condition {
  const { extra } = CONDITION_TYPES[condition.type];
  if (extra === null) return condition;
  const named = { ...condition, [extra.property]: name };
  return extra.kind === "experiment" && readExtra(condition) !== name ? withValue(named, undefined) : named;
}

/** The name of the custom field, unit ID type or experiment; empty if it is missing or the type needs none. */
export function readExtra(condition: Condition): string {
  const { extra } = CONDITION_TYPES[condition.type];
  return (extra && condition[extra.property]) || "";
}

/** The values of the condition, always as a list. */
export function listValues({ targetValue }: Pick<Condition, "targetValue">): (string | number)[] {
  return [targetValue ?? []].flat();
}

/** The only value of the condition. Undefined if it has none or several. */
export function onlyValue(condition: Pick<Condition, "targetValue">): string | number | undefined {
  const [only, ...others] = listValues(condition);
  return others.length === 0 ? only : undefined;
}

type Shape = "none" | "list" | "one";

const SHAPES = {
  none: "none",
  list: "list",
  countries: "list",
  environments: "list",
  "target-apps": "list",
  "experiment-groups": "list",
  text: "one",
  number: "one",
  version: "one",
  time: "one",
  day: "one",
  gate: "one",
  segment: "one",
  "segment-list": "one",
} satisfies Record<ValueInput, Shape>;

/** Whether values of this input are lists, one value or absent. */
export function valueShape(input: ValueInput): Shape {
  return SHAPES[input];
}

/** Inputs of free text. A value can move from one to another, and times from `time` to `day`. */
const FREE: readonly ValueInput[] = ["list", "text", "version", "number"];
const TIMES: readonly ValueInput[] = ["time", "day"];

/** The value for another input. Undefined if it makes no sense there. */
function converted(condition: Condition, input: ValueInput): TargetValue | undefined {
  const from = conditionInput(condition);
  if (from !== input && ![FREE, TIMES].some((family) => family.includes(from) && family.includes(input))) return undefined;
  const values = listValues(condition);
  if (valueShape(input) === "list") return values;
  const only = onlyValue(condition);
  if (only === undefined) return undefined;
  if (input === "number") return typeof only === "number" ? only : toNumber(only);
  if (input === "version") return beginsWithNumber(String(only)) ? String(only) : undefined;
  return input === "text" ? String(only) : only;
}

/** SDKs compare versions up to the first part that is not a number. The server refuses a version that no other one could match. */
export function beginsWithNumber(version: string): boolean {
  return /^\s*\+?\d+\s*(?:[.-]|$)/.test(version);
}

/** The number that a text consists of. Undefined for other texts and for too large numbers. */
export function toNumber(text: string): number | undefined {
  const isDecimal = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text.trim());
  const number = Number(text);
  return isDecimal && Number.isFinite(number) ? number : undefined;
}

/** A condition with exactly the fields that its type and operator take. */
function compose(
  type: ConditionType,
  operator: Operator | undefined,
  value: TargetValue | undefined,
  extras: Pick<Condition, "field" | "customID">,
): Condition {
  const { extra, operators } = CONDITION_TYPES[type];
  const shape = valueShape(inputFor(type, operator));
  const target = shape === "list" ? [value ?? []].flat() : shape === "none" ? undefined : value;
  return {
    type,
    ...(operators.length > 0 && operator !== undefined && { operator }),
    ...(target !== undefined && { targetValue: target }),
    ...(extra && { [extra.property]: extras[extra.property] ?? "" }),
  };
}
