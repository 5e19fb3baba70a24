// Edits of a metric that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import type { Fault } from "../../targeting/types.ts";
import { faultsOfText, objectOf } from "../../targeting/values.ts";
import { CONDITIONS, type Criterion, type EventType, isAutomatic, type Metric, type MetricType } from "./metric-words.ts";

export type StoredMetric = Stored<Metric>;
type MetricReference = Schema<"MetricReference">;

export type CriterionDraft = { type: Criterion["type"]; column: string; condition: Criterion["condition"]; values: readonly string[] };
export type EventDraft = { name: string; type: EventType; metadataKey: string; criteria: readonly CriterionDraft[] };

const OWN = ["description", "directionality", "tags", "isVerified", "isPermanent", "rollupTimeWindow"] as const;
export type Fields = Pick<Metric, (typeof OWN)[number]> & {
  events: readonly EventDraft[];
  components: readonly MetricReference[];
  /** Days since the first exposure that count, with the window custom. */
  firstDay: number;
  lastDay: number;
  /** What has no fields of its own, as JSON: the steps of a funnel, or `warehouseNative`. */
  definition: string;
};
export type MetricDraft = FieldsDraft<Metric, Fields>;

/** The types whose definition is edited as JSON. */
export const isDefinedByText = (type: MetricType): boolean => type === "funnel" || type === "user_warehouse";
export const hasEvents = (type: MetricType): boolean => !["funnel", "composite", "composite_sum", "user"].includes(type);
export const isComposite = (type: MetricType): boolean => type === "composite" || type === "composite_sum";
/** The window of `user_warehouse` is part of its definition. */
export const hasWindow = (type: MetricType): boolean => type !== "user_warehouse";

const WORDS: Record<keyof Fields, FieldWords> = {
  events: { label: "Events", as: "json" },
  components: { label: "Metrics", as: "names" },
  rollupTimeWindow: { label: "Window", as: "value" },
  firstDay: { label: "First day", as: "value" },
  lastDay: { label: "Last day", as: "value" },
  definition: { label: "Definition", as: "text" },
  directionality: { label: "Desired change", as: "value" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  isVerified: { label: "Verified", as: "value" },
  isPermanent: { label: "Permanent", as: "value" },
};

const LAST_DAY = 6;

function definitionOf({ type, funnelEventList, funnelCountDistinct, warehouseNative }: Metric): string {
  const definition = type === "funnel" ? { funnelEventList, ...(funnelCountDistinct && { funnelCountDistinct }) } : warehouseNative;
  return isDefinedByText(type) ? JSON.stringify(definition, undefined, 2) : "";
}

const fieldsOf = (metric: Metric): Fields => ({
  ...(Object.fromEntries(OWN.map((name) => [name, metric[name]])) as Pick<Metric, (typeof OWN)[number]>),
  events: metric.metricEvents.map(({ name, type = "count", metadataKey = "", criteria = [] }) => ({
    ...{ name, type, metadataKey },
    criteria: criteria.map(({ type: of, column = "", condition, values = [] }) => ({ type: of, column, condition, values })),
  })),
  components: metric.metricComponentMetrics,
  firstDay: metric.customRollUpStart ?? 0,
  lastDay: metric.customRollUpEnd ?? LAST_DAY,
  definition: definitionOf(metric),
});

export const metricModel = fieldsModel<Metric, Fields>(WORDS, fieldsOf);

/** An event as it is first added. */
export function newEvent(type: MetricType): EventDraft {
  return { name: "", type: type === "sum" || type === "mean" ? "value" : "count", metadataKey: "", criteria: [] };
}

export const newCriterion = (): CriterionDraft => ({ type: "metadata", column: "", condition: "in", values: [] });

const eventBody = ({ name, type, metadataKey, criteria }: EventDraft): Schema<"MetricEvent"> => ({
  name: name.trim(),
  type,
  ...(hasKey(type) && metadataKey !== "" && { metadataKey }),
  ...(criteria.length > 0 && { criteria: criteria.map(criterionBody) }),
});

export const hasKey = (type: EventType): boolean => type === "metadata" || type === "count_distinct";

const criterionBody = ({ type, column, condition, values }: CriterionDraft): Criterion => ({
  type,
  ...(type !== "value" && { column }),
  condition,
  ...(CONDITIONS[condition].takes !== "none" && { values: values.filter((one) => one !== "") }),
});

export function writeOf(draft: MetricDraft): BatchRequest[] {
  const { events, components, firstDay, lastDay, rollupTimeWindow, definition, ...changed } = changedParts(metricModel, draft);
  const { entity, etag } = draft.stored;
  const { fields } = draft;
  const isWindowChanged = rollupTimeWindow !== undefined || firstDay !== undefined || lastDay !== undefined;
  const isCustom = fields.rollupTimeWindow === "custom";
  const text = definition === undefined ? {} : (objectOf(definition) ?? {});
  const body: WritableSchema<"MetricUpdate"> = {
    ...changed,
    ...(events && { metricEvents: events.map(eventBody) }),
    ...(components && { metricComponentMetrics: [...components] }),
    ...(isWindowChanged && { rollupTimeWindow: fields.rollupTimeWindow }),
    ...(isWindowChanged && isCustom && { customRollUpStart: fields.firstDay, customRollUpEnd: fields.lastDay }),
    ...(definition !== undefined && (entity.type === "funnel" ? text : { warehouseNative: text as Metric["warehouseNative"] })),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "updateMetric", path: { id: entity.id }, body, ifMatch: etag }];
}

/** What a preview computes: the definition as it is edited. Windows do not apply to single days. */
export function previewOf({ stored: { entity }, fields }: MetricDraft): WritableSchema<"MetricPreviewRequest"> {
  const { type, name, unitTypes } = entity;
  if (isAutomatic(type)) return { type, name };
  const text = isDefinedByText(type) ? (objectOf(fields.definition) ?? {}) : {};
  return {
    ...{ type, unitTypes },
    ...(hasEvents(type) && { metricEvents: fields.events.map(eventBody) }),
    ...(isComposite(type) && { metricComponentMetrics: [...fields.components] }),
    ...(type === "funnel" ? text : isDefinedByText(type) && { warehouseNative: text as Metric["warehouseNative"] }),
  };
}

const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "metric", noun: "Metric", id }, before, after);

export const describeDraft = ({ stored: { entity }, fields }: MetricDraft) => difference(entity.id, fieldsOf(entity), fields);

export const describeVersions = (before: Metric, after: Metric) => difference(after.id, fieldsOf(before), fieldsOf(after));

/** What is wrong with the draft, each with its path in a request. */
export function faultsOfDraft({ stored: { entity }, fields }: MetricDraft): Fault[] {
  const { type } = entity;
  const { events, components, firstDay, lastDay, definition } = fields;
  const error = (property: string, message: string): Fault => ({ property, message, level: "error" });
  const wanted = type === "ratio" ? 2 : 1;
  const isMissing = hasEvents(type) && type !== "user_warehouse" && events.length < wanted;
  return [
    ...(isMissing ? [error("metricEvents", type === "ratio" ? "A ratio has two events." : "Add an event.")] : []),
    ...events.flatMap((event, index) => faultsOfEvent(event, `metricEvents[${index}]`, error)),
    ...(isComposite(type) && components.length < 2 ? [error("metricComponentMetrics", "Add at least two metrics.")] : []),
    ...(fields.rollupTimeWindow === "custom" && lastDay < firstDay
      ? [error("customRollUpEnd", "The last day must not be before the first.")]
      : []),
    ...(isDefinedByText(type) ? faultsOfText(definition, "definition") : []),
  ];
}

function faultsOfEvent(event: EventDraft, place: string, error: (property: string, message: string) => Fault): Fault[] {
  const { name, type, metadataKey, criteria } = event;
  return [
    ...(name.trim() === "" ? [error(`${place}.name`, "Enter the name of the event.")] : []),
    ...(type === "metadata" && metadataKey === "" ? [error(`${place}.metadataKey`, "Enter the key in the metadata.")] : []),
    ...criteria.flatMap(({ type: of, column, condition, values }, index) => {
      const at = `${place}.criteria[${index}]`;
      const { takes } = CONDITIONS[condition];
      return [
        ...(of !== "value" && column === "" ? [error(`${at}.column`, "Enter the name of the field.")] : []),
        ...(takes === "some" && values.every((one) => one === "") ? [error(`${at}.values`, "Enter at least one value.")] : []),
        ...(takes === "one" && values.length !== 1 ? [error(`${at}.values`, "Enter one value.")] : []),
      ];
    }),
  ];
}
