import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/**
 * What is told of the user of each unit, as it was at the first exposure. A field is `country`, or `custom.plan` for the field `plan` of
 * `custom`.
 */
export type Dimension =
  /** Which of these values a field has, as `partIn` reads it. Other values are put together. */
  | { of: "values"; field: string; values: readonly string[] }
  /** The text of a field. */
  | { of: "text"; field: string }
  /** All fields, as a JSON text. */
  | { of: "fields" };

/** The units of a dimension that are told apart: those with a value, those with any other one, those without the field. */
export type Part = { kind: "value"; value: string } | { kind: "others" } | { kind: "none" };

const CUSTOM = "custom";
/** Precedes values in the column `dim`, so that none equals what stands for the others. */
const IS_VALUE = "=";
const OTHERS = "";

export const customField = (name: string): string => `${CUSTOM}.${name}`;

/** The fields of `custom` as a JSON text. @param fields an SQL expression: the fields of a user as a JSON text */
export const customFields = (fields: string, dialect: Dialect, bind: Bind): string => dialect.textUnder(fields, bind.text(CUSTOM));

/** The aggregate of a unit's exposures, which have `time` and `fields`, that is the column `dim`. */
export function dimensionOf(dimension: Dimension, dialect: Dialect, bind: Bind): string {
  const first = (expression: string) => dialect.firstBy(expression, [`"time"`], "true");
  if (dimension.of === "fields") return first("fields");
  const text = first(textOf(dimension.field, dialect, bind));
  if (dimension.of === "text") return text;
  const isTold = dialect.isIn(text, bind.texts(dimension.values));
  return `case when ${isTold} then '${IS_VALUE}' || ${text} when ${text} is not null then '${OTHERS}' end`;
}

function textOf(field: string, dialect: Dialect, bind: Bind): string {
  if (!field.startsWith(customField(""))) return dialect.textUnder("fields", bind.text(field));
  return dialect.textUnder(customFields("fields", dialect, bind), bind.text(field.slice(customField("").length)));
}

/** The part of a dimension that `dim` names. */
export function partIn(dim: string | null): Part {
  if (dim === null) return { kind: "none" };
  return dim === OTHERS ? { kind: "others" } : { kind: "value", value: dim.slice(IS_VALUE.length) };
}
