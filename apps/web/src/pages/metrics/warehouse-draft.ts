// Edits of how a metric of the type `user_warehouse` is computed. Pure.

import type { Schema } from "../../api.ts";
import { type CriterionDraft, criteriaBody, criteriaDraft } from "../../criteria/criteria-draft.ts";
import {
  type Aggregation,
  DEFAULTS,
  needsColumn,
  OF_SOURCE,
  type PartAggregation,
  READ_BY,
  takenBy,
  type WarehouseNative,
  withoutOtherForms,
} from "./aggregations.ts";
import { type EventDraft, hasKey, nameBody, newEvent } from "./event-draft.ts";
import type { EventType } from "./metric-words.ts";

export type StepDraft = { name: string; metricSourceName: string | undefined; criteria: readonly CriterionDraft[] };

/** The fields of `warehouseNative`, each given. Omitted ones are undefined, and omitted lists empty. */
export type Warehouse = {
  [Field in keyof Required<WarehouseNative>]: Field extends "aggregation"
    ? Aggregation
    : Field extends "criteria" | "denominatorCriteria"
      ? readonly CriterionDraft[]
      : Field extends "funnelEvents"
        ? readonly StepDraft[]
        : WarehouseNative[Field] | undefined;
};
type Field = keyof Warehouse;

/** The part of a draft that defines a `user_warehouse` metric. */
export type Computed = { readonly events: readonly EventDraft[]; readonly warehouse: Warehouse };

const NOTHING: { [Name in Exclude<Field, "aggregation">]: Warehouse[Name] } = {
  ...{ metricSourceName: undefined, criteria: [], valueColumn: undefined, valueThreshold: undefined },
  ...{ rollupTimeWindow: undefined, customRollUpStart: undefined, customRollUpEnd: undefined, waitForCohortWindow: undefined },
  ...{ cupedAttributionWindow: undefined, winsorizationLow: undefined, winsorizationHigh: undefined, cap: undefined },
  ...{ winsorizationLowDenominator: undefined, winsorizationHighDenominator: undefined },
  ...{ percentile: undefined, retentionEnd: undefined, retentionLength: undefined },
  ...{ numeratorAggregation: undefined, denominatorAggregation: undefined },
  ...{ denominatorMetricSourceName: undefined, denominatorCriteria: [], denominatorValueColumn: undefined },
  ...{ denominatorRollupTimeWindow: undefined, denominatorCustomRollupStart: undefined, denominatorCustomRollupEnd: undefined },
  ...{ funnelEvents: [], funnelCalculationWindow: undefined, funnelStartCriteria: undefined, funnelStrictOrdering: undefined },
};

/** The median: a percentile needs some value. */
const MEDIAN = 0.5;
export const MIN_STEPS = 2;
export const MAX_STEPS = 20;

export const newStep = (): StepDraft => ({ name: "", metricSourceName: undefined, criteria: [] });

/** @param given undefined for metrics of other types */
export function warehouseDraft(stored: Schema<"WarehouseNative"> = { aggregation: "count" }): Warehouse {
  const { criteria, denominatorCriteria, funnelEvents = [], ...given } = withoutOtherForms(stored);
  return {
    ...NOTHING,
    ...given,
    criteria: criteriaDraft(criteria),
    denominatorCriteria: criteriaDraft(denominatorCriteria),
    funnelEvents: funnelEvents.map(stepDraft),
  };
}

const stepDraft = ({ name, metricSourceName, criteria }: Schema<"FunnelStep">): StepDraft => ({
  ...{ name: name ?? "", metricSourceName },
  criteria: criteriaDraft(criteria),
});

/** @param stored the names that are stored */
export function warehouseBody(warehouse: Warehouse, stored: ReadonlySet<string>): WarehouseNative {
  const { criteria, denominatorCriteria, funnelEvents, ...plain } = warehouse;
  const { criteria: denominator } = criteriaBody(denominatorCriteria);
  const given = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as unknown as WarehouseNative;
  return {
    ...given,
    ...criteriaBody(criteria),
    ...(denominator && { denominatorCriteria: denominator }),
    ...(funnelEvents.length > 0 && { funnelEvents: funnelEvents.map((step) => stepBody(step, stored)) }),
  };
}

const stepBody = ({ name, metricSourceName, criteria }: StepDraft, stored: ReadonlySet<string>): Schema<"FunnelStep"> => ({
  name: nameBody(name, stored),
  ...(metricSourceName !== undefined && { metricSourceName }),
  ...criteriaBody(criteria),
});

/** Whether rows come from the events that the metric names. */
export const takesEvents = ({ aggregation, metricSourceName }: Pick<Warehouse, "aggregation" | "metricSourceName">): boolean =>
  aggregation !== "funnel" && metricSourceName === undefined;

export const reads = ({ aggregation }: Pick<Warehouse, "aggregation">, field: Field): boolean =>
  (READ_BY[aggregation] as readonly Field[]).includes(field);

/** The draft without the fields that its aggregation does not read, which the server would refuse. */
export function settled({ events, warehouse }: Computed): Computed {
  const isRead = (field: Field) => field === "aggregation" || reads(warehouse, field);
  const isOfSource = (field: Field) => (OF_SOURCE as readonly Field[]).includes(field);
  const isKept = (field: Field) => isRead(field) && (warehouse.metricSourceName !== undefined || !isOfSource(field));
  const kept = Object.fromEntries(Object.entries(warehouse).filter(([field]) => isKept(field as Field)));
  const read = { ...NOTHING, ...kept } as Warehouse;
  return { events: takesEvents(read) ? events : [], warehouse: read };
}

/** The draft with another aggregation, with its required fields and without the ones that it does not read. */
export function withAggregation({ events, warehouse }: Computed, aggregation: Aggregation): Computed {
  if (aggregation === warehouse.aggregation) return { events, warehouse };
  const wasFunnel = warehouse.aggregation === "funnel";
  const isRatio = aggregation === "ratio";
  const fresh = () => newEvent("user_warehouse");
  const steps = warehouse.funnelEvents.filter(({ metricSourceName }) => metricSourceName === undefined);
  const known = wasFunnel ? steps.map(({ name, criteria }) => ({ ...fresh(), name, criteria })) : events;
  // The two events of a ratio are not two events of a sum.
  const isOne = aggregation !== "funnel" && (wasFunnel || warehouse.aggregation === "ratio");
  const wanted = isRatio || aggregation === "funnel" ? MIN_STEPS : 1;
  const most = isRatio || isOne ? wanted : aggregation === "funnel" ? MAX_STEPS : known.length;
  const base = padded(known.slice(0, most), wanted, fresh);
  const numerator = warehouse.numeratorAggregation ?? "count";
  const changed = settled({
    events: base,
    warehouse: {
      ...warehouse,
      aggregation,
      ...(aggregation === "percentile" && { percentile: MEDIAN }),
      ...(isRatio && { numeratorAggregation: numerator, denominatorAggregation: warehouse.denominatorAggregation ?? "count" }),
      ...(aggregation === "funnel" && {
        funnelEvents: base.map(({ name, criteria }) => ({ ...newStep(), name, criteria, metricSourceName: warehouse.metricSourceName })),
      }),
    },
  });
  return { ...changed, events: changed.events.map((event) => retyped(event, isRatio ? numerator : aggregation)) };
}

const padded = <Item>(items: readonly Item[], count: number, fresh: () => Item): Item[] => [
  ...items,
  ...Array.from({ length: Math.max(0, count - items.length) }, fresh),
];

/** The event, counted as the aggregation can count it. */
function retyped(event: EventDraft, aggregation: Aggregation): EventDraft {
  const types = takenBy(aggregation);
  const type: EventType = types.includes(event.type) ? event.type : (types[0] ?? "count");
  return type === event.type ? event : { ...event, type, metadataKey: hasKey(type) ? event.metadataKey : "" };
}

/** The draft with another aggregation of the numerator or the denominator. */
export function withPart({ events, warehouse }: Computed, part: "numerator" | "denominator", aggregation: PartAggregation): Computed {
  const at = part === "numerator" ? 0 : 1;
  const column = part === "numerator" ? "valueColumn" : "denominatorValueColumn";
  return {
    events: events.map((event, index) => (index === at ? retyped(event, aggregation) : event)),
    warehouse: {
      ...warehouse,
      [`${part}Aggregation`]: aggregation,
      ...(!needsColumn(aggregation) && { [column]: undefined }),
    },
  };
}

/** The draft with rows of a metric source, or of events without one. */
export function withSource({ events, warehouse }: Computed, metricSourceName: string | undefined): Computed {
  const { aggregation, numeratorAggregation = "count" } = warehouse;
  const isBack = metricSourceName === undefined && events.length === 0;
  const type = takenBy(aggregation === "ratio" ? numeratorAggregation : aggregation)[0] ?? "count";
  const fresh = padded([], aggregation === "ratio" ? 2 : 1, () => ({ ...newEvent("user_warehouse"), type }));
  return settled({ events: isBack ? fresh : events, warehouse: { ...warehouse, metricSourceName } });
}

/** A change of the fields. Values with the same meaning as the stored ones take their form, so that the draft does not differ. */
export function withFields(warehouse: Warehouse, changed: Partial<Warehouse>, stored: Warehouse): Warehouse {
  const meaning = (field: Field, value: unknown) => value ?? (DEFAULTS as Partial<Record<Field, unknown>>)[field];
  const given = Object.entries(changed).map(([name, value]) => {
    const field = name as Field;
    return [field, meaning(field, value) === meaning(field, stored[field]) ? stored[field] : value];
  });
  return { ...warehouse, ...Object.fromEntries(given) };
}
