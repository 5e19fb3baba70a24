import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/**
 * The value of each unit, as it was at the first exposure. A field is one of its user: `country`, or `custom.plan` for the field `plan` of `custom`.
 * Or it names a property (`propertyField`), whose values are given with the units.
 */
export type Dimension =
  /** The field's value out of these, as `partIn` reads it. Other values are put together. */
  | { of: "values"; field: string; values: readonly string[] }
  /** The text of a field. */
  | { of: "text"; field: string }
  /** All fields, as a JSON text. */
  | { of: "fields" };

/** The units of a dimension that are distinguished: those with a value, those with any other one, those without the field. */
export type Part = { kind: "value"; value: string } | { kind: "others" } | { kind: "none" };

const CUSTOM = "custom";
/** Precedes values in the column `dim`, so that they differ from the text for the others. */
const IS_VALUE = "=";
const OTHERS = "";

const PROPERTY = "property.";

/** A column of an entity property source. */
export type NamedProperty = { name: string; column: string };

/** How a property is called as a dimension. The dots in the name of its source are escaped, so that the next one precedes the column. */
export const propertyField = ({ name, column }: NamedProperty): string =>
  `${PROPERTY}${name.replaceAll("%", "%25").replaceAll(".", "%2E")}.${column}`;

/** The property that a dimension is; undefined for a field of users. */
export function propertyIn(field: string): NamedProperty | undefined {
  if (!field.startsWith(PROPERTY)) return undefined;
  const [name = "", ...column] = field.slice(PROPERTY.length).split(".");
  return { name: name.replace(/%(2e|25)/gi, (escaped) => decodeURIComponent(escaped)), column: column.join(".") };
}

/** The fields of users that are not custom. */
const FIELDS: ReadonlySet<string> = new Set(["email", "ip", "userAgent", "country", "locale", "appVersion"]);

/** Whether a text names a field of users or a property as requests do. */
export const isField = (text: string): boolean =>
  FIELDS.has(text) || (text.startsWith(customField("")) && text !== customField("")) || propertyIn(text) !== undefined;

export const customField = (name: string): string => `${CUSTOM}.${name}`;

/** The fields of `custom` as a JSON text. @param fields an SQL expression: the fields of a user as a JSON text */
export const customFields = (fields: string, dialect: Dialect, bind: Bind): string => dialect.textUnder(fields, bind.text(CUSTOM));

/** The aggregate of a unit's exposures, which have `time` and `fields`, that is the column `dim`. */
export function dimensionColumn(dimension: Dimension, dialect: Dialect, bind: Bind): string {
  const first = (expression: string) => dialect.firstBy(expression, [`"time"`], "true");
  if (dimension.of === "fields") return first("fields");
  return dimensionValue(first(fieldText(dimension.field, dialect, bind)), dimension, dialect, bind);
}

/** The column `dim` of units whose value is known. @param text an SQL expression: the value */
export function dimensionValue(text: string, dimension: Dimension, dialect: Dialect, bind: Bind): string {
  if (dimension.of !== "values") return text;
  const isOwnValue = dialect.isIn(text, bind.texts(dimension.values));
  return `case when ${isOwnValue} then '${IS_VALUE}' || ${text} when ${text} is not null then '${OTHERS}' end`;
}

function fieldText(field: string, dialect: Dialect, bind: Bind): string {
  if (!field.startsWith(customField(""))) return dialect.textUnder("fields", bind.text(field));
  return dialect.textUnder(customFields("fields", dialect, bind), bind.text(field.slice(customField("").length)));
}

/** The part of a dimension that `dim` names. */
export function partIn(dim: string | null): Part {
  if (dim === null) return { kind: "none" };
  return dim === OTHERS ? { kind: "others" } : { kind: "value", value: dim.slice(IS_VALUE.length) };
}
