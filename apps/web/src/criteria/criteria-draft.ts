// Edits of the conditions that events and rows have to meet. Pure.
import type { NumberNotation } from "../targeting/typed-values.ts";
import type { Fault } from "../targeting/types.ts";
import { CONDITIONS, type Criterion } from "./criteria-words.ts";

export type CriterionDraft = { type: Criterion["type"]; column: string; condition: Criterion["condition"]; values: readonly string[] };

export const MAX_CRITERIA = 50;
/** The conditions that compare numbers. */
const OF_NUMBERS: readonly Criterion["condition"][] = [">", "<", ">=", "<="];
/** A number as the server reads one. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** The value of a condition that someone typed. Numbers become the server's. Other texts stay as they are, and faultsOfCriteria refuses them. */
export function toValue(condition: Criterion["condition"], text: string, { read }: NumberNotation): string {
  const number = OF_NUMBERS.includes(condition) ? read(text) : undefined;
  return number === undefined || Number(text) === number ? text : String(number);
}

/** The text for a value of a condition, as the reader would type it. */
export const toShownValue = (condition: Criterion["condition"], value: string, { write }: NumberNotation): string =>
  OF_NUMBERS.includes(condition) && isNumber(value) ? write(Number(value)) : value;

export const newCriterion = (): CriterionDraft => ({ type: "metadata", column: "", condition: "in", values: [] });

export const criteriaDraft = (criteria: readonly Criterion[] = []): CriterionDraft[] =>
  criteria.map(({ type, column = "", condition, values = [] }) => ({ type, column, condition, values }));

/** Without conditions, the field is left out. */
export const criteriaBody = (criteria: readonly CriterionDraft[]): { criteria?: Criterion[] } =>
  criteria.length === 0 ? {} : { criteria: criteria.map(criterionBody) };

export const criterionBody = ({ type, column, condition, values }: CriterionDraft): Criterion => ({
  type,
  ...(type !== "value" && { column }),
  condition,
  ...(CONDITIONS[condition].takes !== "none" && { values: [...values] }),
});

export const error = (property: string, message: string): Fault => ({ property, message, level: "error" });

/** @param place the path of the conditions in a request */
export function faultsOfCriteria(criteria: readonly CriterionDraft[], place: string): Fault[] {
  return criteria.flatMap(({ type, column, condition, values }, index) => {
    const at = `${place}[${index}]`;
    const { takes } = CONDITIONS[condition];
    const isNoNumber = OF_NUMBERS.includes(condition) && values.length === 1 && !isNumber(values[0] ?? "");
    return [
      ...(type !== "value" && column === "" ? [error(`${at}.column`, "Enter the name of the field.")] : []),
      ...(takes === "some" && values.length === 0 ? [error(`${at}.values`, "Enter at least one value.")] : []),
      ...(takes === "one" && values.length !== 1 ? [error(`${at}.values`, "Enter one value.")] : []),
      ...(isNoNumber ? [error(`${at}.values`, "Enter a number.")] : []),
    ];
  });
}

const isNumber = (text: string) => NUMBER.test(text) && Number.isFinite(Number(text));
