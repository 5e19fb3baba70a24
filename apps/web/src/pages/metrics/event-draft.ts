// Edits of events and of the conditions of rows. Pure.

import type { Schema } from "../../api.ts";
import { type CriterionDraft, criteriaBody, criteriaDraft, error, faultsOfCriteria } from "../../criteria/criteria-draft.ts";
import type { Fault } from "../../targeting/types.ts";
import type { EventType, MetricType } from "./metric-words.ts";

export type EventDraft = { name: string; type: EventType; metadataKey: string; criteria: readonly CriterionDraft[] };

/** An event as it is first added. */
export function newEvent(type: MetricType): EventDraft {
  return { name: "", type: type === "sum" || type === "mean" ? "value" : "count", metadataKey: "", criteria: [] };
}

export const hasKey = (type: EventType): boolean => type === "metadata" || type === "count_distinct";

export const eventDraft = ({ name, type, metadataKey = "", criteria }: Schema<"MetricEvent">): EventDraft => ({
  ...{ name, type: type ?? "count", metadataKey },
  criteria: criteriaDraft(criteria),
});

/** A name without the spaces around it, unless it is stored with them. */
export const nameBody = (name: string, stored: ReadonlySet<string>): string => (stored.has(name) ? name : name.trim());

/** @param stored the names that are stored */
export const eventBody = ({ name, type, metadataKey, criteria }: EventDraft, stored: ReadonlySet<string>): Schema<"MetricEvent"> => ({
  name: nameBody(name, stored),
  type,
  ...(hasKey(type) && metadataKey !== "" && { metadataKey }),
  ...criteriaBody(criteria),
});

/** @param place the path of the event in a request */
export function faultsOfEvent({ name, type, metadataKey, criteria }: EventDraft, place: string): Fault[] {
  return [
    ...(name.trim() === "" ? [error(`${place}.name`, "Enter the name of the event.")] : []),
    ...(type === "metadata" && metadataKey === "" ? [error(`${place}.metadataKey`, "Enter the key in the metadata.")] : []),
    ...faultsOfCriteria(criteria, `${place}.criteria`),
  ];
}
