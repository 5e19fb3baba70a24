import { listed } from "../ui/list-text.ts";

/** The names of types as people read them. */
const TYPES: Record<string, string> = {
  string: "text in quotes",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  array: "a list in brackets [ ]",
  object: "an object in braces { }",
  null: "null",
};

const FORMATS: Record<string, string> = {
  date: "a date, like 2025-11-22",
  time: "a time, like 14:30:00Z",
  "date-time": "a date and time, like 2025-11-22T14:30:00Z",
  duration: "a duration, like P3D or PT15M",
  email: "an email address",
  hostname: "a host name",
  uri: "a URL",
  url: "a URL",
  uuid: "a UUID",
  regex: "a regular expression",
};

const MAX_LISTED = 12;
const MAX_TEXT_LENGTH = 160;

/**
 * Describes the demand of a JSON Schema's keyword on a value in plain words. `demand` is the keyword's value in the
 * schema, `type` the type of the value. Null if the keyword only leads to others, which have their own faults.
 */
export function describeKeyword(keyword: string, demand: unknown, type: string): string | null {
  switch (keyword) {
    case "type":
      return `Must be ${typesText(demand)}, but is ${typeText(type)}.`;
    case "enum":
      return Array.isArray(demand) ? `Must be ${either(demand.map(literal))}.` : "Must be one of the values that the schema lists.";
    case "const":
      return `Must be ${literal(demand)}.`;
    case "minimum":
      return `Must be at least ${literal(demand)}.`;
    case "maximum":
      return `Must be at most ${literal(demand)}.`;
    case "exclusiveMinimum":
      return `Must be greater than ${literal(demand)}.`;
    case "exclusiveMaximum":
      return `Must be less than ${literal(demand)}.`;
    case "multipleOf":
      return `Must be a multiple of ${literal(demand)}.`;
    case "minLength":
      return `Must have at least ${amount(demand, "character")}.`;
    case "maxLength":
      return `Must have at most ${amount(demand, "character")}.`;
    case "pattern":
      return typeof demand === "string" ? `Must match the pattern ${cut(demand)}` : "Must match the pattern of the schema.";
    case "format":
      return `Must be ${FORMATS[String(demand)] ?? `in the format "${cut(String(demand))}"`}.`;
    case "minItems":
      return `Must have at least ${amount(demand, "item")}.`;
    case "maxItems":
      return `Must have at most ${amount(demand, "item")}.`;
    case "uniqueItems":
      return "Must not have the same item twice.";
    case "minProperties":
      return `Must have at least ${amount(demand, "key")}.`;
    case "maxProperties":
      return `Must have at most ${amount(demand, "key")}.`;
    case "contains":
    case "minContains":
    case "maxContains":
      return "The schema demands another number of certain items.";
    case "not":
      return "The schema does not permit this value.";
    case "false":
      return "The schema does not permit this here.";
    case "anyOf":
      return "Matches none of the forms that the schema permits.";
    case "oneOf":
      return "Must match exactly one of the forms that the schema permits.";
    default:
      return null;
  }
}

/** A value as it is written in JSON. */
const literal = (value: unknown): string => cut(JSON.stringify(value) ?? "nothing");

export const cut = (text: string): string => (text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);

const typeText = (type: string): string => TYPES[type] ?? cut(type);

const typesText = (types: unknown): string =>
  Array.isArray(types) ? either(types.map((type) => typeText(String(type)))) : typeText(String(types));

function either(texts: readonly string[]): string {
  if (texts.length > MAX_LISTED) return `one of ${listed([...texts.slice(0, MAX_LISTED), `${texts.length - MAX_LISTED} more`])}`;
  return texts.length === 0 ? "nothing" : listed(texts, "or");
}

const amount = (count: unknown, noun: string): string => `${literal(count)} ${noun}${count === 1 ? "" : "s"}`;
