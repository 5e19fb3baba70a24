// Edits of events and of the conditions of rows. Pure.
import type { Schema } from "../../api.ts";
import type { Fault } from "../../targeting/types.ts";
import { CONDITIONS, type Criterion, type EventType, type MetricType } from "./metric-words.ts";

export type CriterionDraft = { type: Criterion["type"]; column: string; condition: Criterion["condition"]; values: readonly string[] };
export type EventDraft = { name: string; type: EventType; metadataKey: string; criteria: readonly CriterionDraft[] };

export const MAX_CRITERIA = 50;
/** The conditions that compare numbers. */
const OF_NUMBERS: readonly Criterion["condition"][] = [">", "<", ">=", "<="];
/** A number as the server reads one. */
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/** An event as it is first added. */
export function newEvent(type: MetricType): EventDraft {
  return { name: "", type: type === "sum" || type === "mean" ? "value" : "count", metadataKey: "", criteria: [] };
}

export const newCriterion = (): CriterionDraft => ({ type: "metadata", column: "", condition: "in", values: [] });

export const hasKey = (type: EventType): boolean => type === "metadata" || type === "count_distinct";

export const eventDraft = ({ name, type = "count", metadataKey = "", criteria }: Schema<"MetricEvent">): EventDraft => ({
  ...{ name, type, metadataKey },
  criteria: criteriaDraft(criteria),
});

export const criteriaDraft = (criteria: readonly Criterion[] = []): CriterionDraft[] =>
  criteria.map(({ type, column = "", condition, values = [] }) => ({ type, column, condition, values }));

/** A name without the spaces around it, unless it is stored with them. */
export const nameBody = (name: string, stored: ReadonlySet<string>): string => (stored.has(name) ? name : name.trim());

/** @param stored the names that are stored */
export const eventBody = ({ name, type, metadataKey, criteria }: EventDraft, stored: ReadonlySet<string>): Schema<"MetricEvent"> => ({
  name: nameBody(name, stored),
  type,
  ...(hasKey(type) && metadataKey !== "" && { metadataKey }),
  ...criteriaBody(criteria),
});

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

/** @param place the path of the event in a request */
export function faultsOfEvent({ name, type, metadataKey, criteria }: EventDraft, place: string): Fault[] {
  return [
    ...(name.trim() === "" ? [error(`${place}.name`, "Enter the name of the event.")] : []),
    ...(type === "metadata" && metadataKey === "" ? [error(`${place}.metadataKey`, "Enter the key in the metadata.")] : []),
    ...faultsOfCriteria(criteria, `${place}.criteria`),
  ];
}

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
