// Edits of a metric that are not saved yet. Pure.

import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import { error } from "../../criteria/criteria-draft.ts";
import { dayUnit, isAutomatic } from "../../results/metric-days.ts";
import { AUTOMATIC_UNIT, isUnit, unitName } from "../../results/units.ts";
import { changedParts, describeFields, type FieldsDraft, type FieldsModel, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import { type FieldWords, fieldText } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";
import { COUNTED, eventText, stepText, WAREHOUSE_WORDS, WINDOW_NAMES, warehouseFieldText } from "./definition-words.ts";
import { type EventDraft, eventBody, eventDraft, faultsOfEvent, nameBody } from "./event-draft.ts";
import type { Metric, MetricType } from "./metric-words.ts";
import { type Computed, MIN_STEPS, settled, type Warehouse, warehouseBody, warehouseDraft } from "./warehouse-draft.ts";
import { faultsOfWarehouse } from "./warehouse-faults.ts";

export type StoredMetric = Stored<Metric>;
type MetricReference = Schema<"MetricReference">;
/** A step of a metric of the type `funnel`. */
export type FunnelEvent = Schema<"FunnelEvent">;

const OWN = [
  "description",
  "directionality",
  "valueUnit",
  "tags",
  "isVerified",
  "isPermanent",
  "rollupTimeWindow",
  "team",
  "teamID",
] as const;
const PREFIX = "warehouseNative.";

/** The fields of `warehouseNative` under their paths in a request, so that two people can change different ones. */
type WarehouseFields = { [Field in keyof Warehouse as `${typeof PREFIX}${Field}`]: Warehouse[Field] };
export type Fields = Pick<Metric, (typeof OWN)[number]> &
  OwnerFields & {
    events: readonly EventDraft[];
    components: readonly MetricReference[];
    steps: readonly FunnelEvent[];
    /** The counted unit of a metric of the type `funnel`. */
    funnelCountDistinct: keyof typeof COUNTED;
    /** Days since the first exposure that count, with the window custom. */
    firstDay: number;
    lastDay: number;
  } & WarehouseFields;
export type MetricDraft = FieldsDraft<Metric, Fields>;

/** The unit of the edited metric on single days. */
export function unitOfDays({ stored: { entity }, fields }: MetricDraft): string {
  return dayUnit(fields.valueUnit, entity.type === "funnel" || toWarehouse(fields).aggregation === "funnel");
}

export const hasEvents = (type: MetricType): boolean => !["funnel", "composite", "composite_sum", "user"].includes(type);
export const isComposite = (type: MetricType): boolean => type === "composite" || type === "composite_sum";
/** The window of `user_warehouse` is part of its definition. */
export const hasWindow = (type: MetricType): boolean => type !== "user_warehouse";

const prefixed = <Of extends object>(of: Of) => Object.fromEntries(Object.entries(of).map(([name, value]) => [PREFIX + name, value]));

const WORDS = {
  events: { label: "Events", as: "names" },
  components: { label: "Metrics", as: "names" },
  steps: { label: "Steps", as: "names" },
  funnelCountDistinct: { label: "Count", as: "value" },
  ...(prefixed(WAREHOUSE_WORDS) as Record<keyof WarehouseFields, FieldWords>),
  rollupTimeWindow: { label: "Window", as: "value" },
  firstDay: { label: "First day", as: "value" },
  lastDay: { label: "Last day", as: "value" },
  directionality: { label: "Desired change", as: "value" },
  valueUnit: { label: "Value unit", as: "value" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
  isVerified: { label: "Verified", as: "value" },
  isPermanent: { label: "Permanent", as: "value" },
} as const satisfies Record<keyof Fields, FieldWords>;

const LAST_DAY = 6;

const toFields = (metric: Metric): Fields => ({
  ...(Object.fromEntries(OWN.map((name) => [name, metric[name]])) as Pick<Metric, (typeof OWN)[number]>),
  owner: metric.owner ?? null,
  valueUnit: metric.valueUnit ?? AUTOMATIC_UNIT,
  events: metric.metricEvents.map(eventDraft),
  components: metric.metricComponentMetrics,
  steps: metric.funnelEventList,
  funnelCountDistinct: metric.funnelCountDistinct ?? "users",
  firstDay: metric.customRollUpStart ?? 0,
  lastDay: metric.customRollUpEnd ?? LAST_DAY,
  ...fieldsOfWarehouse(warehouseDraft(metric.warehouseNative)),
});

const fieldsOfWarehouse = (warehouse: Warehouse) => prefixed(warehouse) as WarehouseFields;

function toWarehouse(fields: Fields): Warehouse {
  const own = Object.entries(fields).filter(([name]) => name.startsWith(PREFIX));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(PREFIX.length), value])) as Warehouse;
}

export const computedBy = (fields: Fields): Computed => ({ events: fields.events, warehouse: toWarehouse(fields) });

/** The fields that define a `user_warehouse` metric. */
export const fieldsOfComputed = ({ events, warehouse }: Computed): Partial<Fields> => ({ events, ...fieldsOfWarehouse(warehouse) });

const model = fieldsModel<Metric, Fields>(WORDS, toFields);

export const metricModel: FieldsModel<Metric, Fields> = {
  ...model,
  // Someone else may have chosen an aggregation that does not read the fields changed in the draft.
  createDraft: (stored, fields) => ({
    stored,
    fields: stored.entity.type === "user_warehouse" ? { ...fields, ...fieldsOfComputed(settled(computedBy(fields))) } : fields,
  }),
  toText: (field, value) => fieldText(WORDS[field], toText(field, value)),
};

/** The names that the metric has stored, which keep the spaces around them. */
const storedNames = ({ metricEvents, funnelEventList, warehouseNative }: Metric): ReadonlySet<string> =>
  new Set([...metricEvents, ...funnelEventList, ...(warehouseNative?.funnelEvents ?? [])].flatMap(({ name }) => name ?? []));

export function toWriteRequests(draft: MetricDraft): BatchRequest[] {
  const changed = changedParts(metricModel, draft);
  const { entity, etag } = draft.stored;
  const { fields } = draft;
  const own = Object.fromEntries(OWN.filter((name) => name in changed && fields[name] !== undefined).map((name) => [name, fields[name]]));
  const has = (...names: (keyof Fields)[]) => names.some((name) => name in changed);
  const isCustom = fields.rollupTimeWindow === "custom";
  const isWindowChanged = has("rollupTimeWindow", "firstDay", "lastDay");
  const body: WritableSchema<"MetricUpdate"> = {
    ...own,
    ...(has("events") && toDefinition(draft, "metricEvents")),
    ...(has("components") && toDefinition(draft, "metricComponentMetrics")),
    ...(has("steps") && toDefinition(draft, "funnelEventList")),
    ...(has("funnelCountDistinct") && toDefinition(draft, "funnelCountDistinct")),
    ...(isWindowChanged && { rollupTimeWindow: fields.rollupTimeWindow }),
    ...(isWindowChanged && isCustom && { customRollUpStart: fields.firstDay, customRollUpEnd: fields.lastDay }),
    ...(Object.keys(changed).some((name) => name.startsWith(PREFIX)) && toDefinition(draft, "warehouseNative")),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ operationId: "updateMetric", path: { id: entity.id }, body, ifMatch: etag }];
}

type Defining = "metricEvents" | "metricComponentMetrics" | "funnelEventList" | "funnelCountDistinct" | "warehouseNative";

/** One field of a request. */
function toDefinition({ stored: { entity }, fields }: MetricDraft, field: Defining): Pick<WritableSchema<"MetricUpdate">, Defining> {
  const names = storedNames(entity);
  switch (field) {
    case "metricEvents":
      return { metricEvents: fields.events.map((event) => eventBody(event, names)) };
    case "metricComponentMetrics":
      return { metricComponentMetrics: [...fields.components] };
    case "funnelEventList":
      return { funnelEventList: fields.steps.map(({ name, type }) => ({ name: nameBody(name, names), type })) };
    case "funnelCountDistinct":
      return { funnelCountDistinct: fields.funnelCountDistinct };
    case "warehouseNative":
      return { warehouseNative: warehouseBody(toWarehouse(fields), names) };
  }
}

/** The request for a preview of the edited definition. Windows do not apply to single days. */
export function toPreviewRequest(draft: MetricDraft): WritableSchema<"MetricPreviewRequest"> {
  const { type, name, unitTypes } = draft.stored.entity;
  if (isAutomatic(type)) return { type, name };
  return {
    ...{ type, unitTypes },
    ...(hasEvents(type) && toDefinition(draft, "metricEvents")),
    ...(isComposite(type) && toDefinition(draft, "metricComponentMetrics")),
    ...(type === "funnel" && { ...toDefinition(draft, "funnelEventList"), ...toDefinition(draft, "funnelCountDistinct") }),
    ...(type === "user_warehouse" && toDefinition(draft, "warehouseNative")),
  };
}

/** A field in words. */
function toText(field: keyof Fields, value: unknown): unknown {
  if (field.startsWith(PREFIX)) return warehouseFieldText(field.slice(PREFIX.length) as keyof Warehouse, value);
  if (field === "events") return (value as Fields["events"]).map(eventText);
  if (field === "steps") return (value as Fields["steps"]).map(stepText);
  if (field === "funnelCountDistinct") return COUNTED[value as Fields["funnelCountDistinct"]];
  if (field === "rollupTimeWindow") return WINDOW_NAMES[value as Fields["rollupTimeWindow"]];
  if (field === "directionality") return value === "increase" ? "more is better" : "less is better";
  if (field === "valueUnit") return unitName((value as Fields["valueUnit"]) ?? AUTOMATIC_UNIT);
  return value;
}

const toTexts = (fields: Fields) => {
  const { rollupTimeWindow, firstDay, lastDay } = fields;
  const days = rollupTimeWindow === "custom" ? { firstDay, lastDay } : { firstDay: null, lastDay: null };
  const texts = Object.entries({ ...fields, ...days }).map(([field, value]) => [field, toText(field as keyof Fields, value)]);
  return Object.fromEntries(texts) as Record<keyof Fields, unknown>;
};

/** The server's fields that a field of the draft stands for. Other fields have the same names. */
const SERVER_FIELDS: Partial<Record<string, readonly string[]>> = {
  events: ["metricEvents"],
  components: ["metricComponentMetrics"],
  steps: ["funnelEventList"],
  firstDay: ["customRollUpStart"],
  lastDay: ["customRollUpEnd"],
};

const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "metric", noun: "Metric", id }, toTexts(before), toTexts(after)).map((entity) => ({
    ...entity,
    changes: entity.changes.map((change) => ({ ...change, covers: SERVER_FIELDS[change.field] ?? [] })),
  }));

export const describeDraft = ({ stored: { entity }, fields }: MetricDraft) => difference(entity.id, toFields(entity), fields);

export const describeVersions = (before: Metric, after: Metric) => difference(after.id, toFields(before), toFields(after));

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ stored: { entity }, fields }: MetricDraft): Fault[] {
  const { type } = entity;
  const { events, components, steps, firstDay, lastDay } = fields;
  const wanted = type === "ratio" ? 2 : 1;
  const isMissing = hasEvents(type) && type !== "user_warehouse" && events.length < wanted;
  return [
    ...(isMissing ? [error("metricEvents", type === "ratio" ? "A ratio has two events." : "Add an event.")] : []),
    ...events.flatMap((event, index) => faultsOfEvent(event, `metricEvents[${index}]`)),
    ...(isComposite(type) && components.length < 2 ? [error("metricComponentMetrics", "Add at least two metrics.")] : []),
    ...(isUnit(fields.valueUnit) ? [] : [error("valueUnit", "Enter the three letters of a currency code.")]),
    ...(type === "funnel" ? faultsOfFunnel(steps) : []),
    ...(fields.rollupTimeWindow === "custom" && lastDay < firstDay
      ? [error("customRollUpEnd", "The last day must not be before the first.")]
      : []),
    ...(type === "user_warehouse" ? faultsOfWarehouse(computedBy(fields)) : []),
  ];
}

const faultsOfFunnel = (steps: readonly FunnelEvent[]): Fault[] => [
  ...(steps.length < MIN_STEPS ? [error("funnelEventList", "Add at least two steps.")] : []),
  ...steps.flatMap(({ name }, index) =>
    name.trim() === "" ? [error(`funnelEventList[${index}].name`, "Enter the name of the step.")] : [],
  ),
];
