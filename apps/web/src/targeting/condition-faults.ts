import { beginsWithNumber, listValues, onlyValue, readExtra, toNumber, valueShape } from "./condition-draft.ts";
import { CONDITION_TYPES, conditionInput, effectiveOperator } from "./condition-types.ts";
import { rangeFault } from "./ip-ranges.ts";
import { OPERATORS, type ValueInput } from "./operators.ts";
import type { Condition, Fault } from "./types.ts";

const CHOOSE = {
  list: "Add at least one value.",
  countries: "Choose at least one country.",
  environments: "Choose at least one environment.",
  "target-apps": "Choose at least one target app.",
  "experiment-groups": "Choose at least one group.",
  text: "Enter a pattern.",
  number: "Enter a number.",
  version: "Enter a version, such as 2.10.3.",
  time: "Enter a date and time.",
  day: "Enter a date.",
  gate: "Choose a gate.",
  segment: "Choose a segment.",
  "segment-list": "Choose an ID list segment.",
} satisfies Record<Exclude<ValueInput, "none">, string>;

const NAME_IT = {
  field: "Enter the name of the custom field.",
  unit: "Choose a unit ID type.",
  experiment: "Choose an experiment.",
};

/** The missing parts of a condition, and parts that would hardly match as intended. Everything that the server refuses has an error. */
export function findFaults(condition: Condition): Fault[] {
  const { extra, operators } = CONDITION_TYPES[condition.type];
  const faults: Fault[] = [];
  const add = (level: Fault["level"], property: string, message: string) => faults.push({ property, message, level });
  if (extra && !readExtra(condition).trim()) add("error", extra.property, NAME_IT[extra.kind]);
  if (operators.length > 0 && !effectiveOperator(condition)) add("error", "operator", "Choose an operator.");
  if (operators.length === 0 && condition.operator) add("error", "operator", "This condition has no operator.");
  const valueError = errorOfValue(condition) ?? rangeFault(condition);
  if (valueError !== undefined) add("error", "targetValue", valueError);
  const [property, doubt] = doubtsAbout(condition);
  if (doubt !== undefined && valueError === undefined) add("warning", property, doubt);
  return faults;
}

function errorOfValue(condition: Condition): string | undefined {
  const { type } = condition;
  const input = conditionInput(condition);
  const values = listValues(condition);
  if (input === "none") {
    if (!effectiveOperator(condition) && CONDITION_TYPES[type].operators.length > 0) return undefined;
    return values.length > 0 ? "This condition has no value." : undefined;
  }
  if (values.length === 0 || values.every((value) => value === "")) return CHOOSE[input];
  // A single value counts as a list of one.
  if (valueShape(input) === "list") return undefined;
  const only = onlyValue(condition);
  if (only === undefined) return "Only one value is possible here.";
  const isNumeric = input === "number" || input === "time" || input === "day";
  if (input === "version") return beginsWithNumber(String(only)) ? undefined : "Start the version with a number, such as 2.10.3.";
  const isValid = isNumeric ? typeof only === "number" || toNumber(only) !== undefined : typeof only === "string";
  if (!isValid) return CHOOSE[input];
  return input === "time" || input === "day" ? errorOfTime(Number(only)) : undefined;
}

/** Why the server refuses a time in milliseconds since the epoch. */
function errorOfTime(time: number): string | undefined {
  if (time >= 1e9 && time < 1e10) return "This looks like a time in seconds. Choose the date and time again.";
  return time > 253_402_300_799_999 ? "This is after the year 9999. Choose the date and time again." : undefined;
}

/** SDKs never match longer patterns. In characters. */
const MAX_PATTERN_LENGTH = 999;
const VERSION_PART = /^\s*\+?\d+\s*$/;

const LONG_LISTS_ONLY = "This works only for lists of more than 1,000 IDs. Use a segment condition instead.";

/** Why the condition would hardly match as meant, with the field. */
function doubtsAbout(condition: Condition): [string, string | undefined] {
  const { matchesNobody } = CONDITION_TYPES[condition.type];
  if (matchesNobody !== undefined) return ["type", matchesNobody];
  const operator = effectiveOperator(condition);
  if (operator && !matchesSomebody(condition)) return ["operator", "SDKs don’t support this operator, so no user matches."];
  if (operator && OPERATORS[operator].kind === "segment") return ["operator", LONG_LISTS_ONLY];
  const [first] = listValues(condition).map(String);
  if (first === undefined) return ["targetValue", undefined];
  switch (conditionInput(condition)) {
    case "version": {
      const [numbers = ""] = first.split("-");
      const isVersion = numbers.split(".").every((part) => VERSION_PART.test(part));
      return ["targetValue", isVersion ? undefined : "Use numbers and dots, such as 2.10.3. Other characters end the comparison early."];
    }
    case "text":
      return ["targetValue", doubtAboutPattern(first)];
    case "countries": {
      const wrong = listValues(condition).find((value) => !/^[a-z]{2}$/i.test(String(value)));
      return ["targetValue", wrong === undefined ? undefined : `Use two-letter country codes, such as NO. No user matches ${wrong}.`];
    }
    default:
      return ["targetValue", undefined];
  }
}

/** Whether applications know the operator for this type. */
function matchesSomebody({ type, operator }: Condition): boolean {
  if (operator === "encoded_any") return false;
  if (type !== "target_app" && type !== "experiment_group" && type !== "time") return true;
  return CONDITION_TYPES[type].operators.some((known) => known === operator);
}

function doubtAboutPattern(pattern: string): string | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return `Use at most ${MAX_PATTERN_LENGTH} characters. Longer patterns match no user.`;
  try {
    // Syntax that RE2 accepts and RegExp doesn't: flags at the start, and names of groups.
    new RegExp(pattern.replace(/^\(\?[imsU]+\)/, "").replaceAll("(?P<", "(?<"));
    return undefined;
  } catch {
    return "This regular expression isn’t valid, so no user matches.";
  }
}
