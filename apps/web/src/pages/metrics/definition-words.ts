// Describes a metric's definition and its changes. Pure.

import type { Schema } from "../../api.ts";
import type { CriterionDraft } from "../../criteria/criteria-draft.ts";
import { criterionText } from "../../criteria/criteria-words.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { AGGREGATIONS, type Aggregation, DEFAULTS, PART_AGGREGATIONS, type PartAggregation } from "./aggregations.ts";
import { type EventDraft, hasKey } from "./event-draft.ts";
import { EVENT_TYPES } from "./metric-words.ts";
import type { StepDraft, Warehouse } from "./warehouse-draft.ts";

export const WAREHOUSE_WORDS: Readonly<Record<keyof Warehouse, FieldWords>> = {
  aggregation: { label: "Aggregation", as: "value" },
  metricSourceName: { label: "Metric source", as: "value" },
  numeratorAggregation: { label: "Numerator", as: "value" },
  valueColumn: { label: "Column", as: "value" },
  criteria: { label: "Conditions", as: "names" },
  denominatorAggregation: { label: "Denominator", as: "value" },
  denominatorMetricSourceName: { label: "Metric source of the denominator", as: "value" },
  denominatorValueColumn: { label: "Column of the denominator", as: "value" },
  denominatorCriteria: { label: "Conditions of the denominator", as: "names" },
  percentile: { label: "Percentile", as: "value" },
  retentionEnd: { label: "Last day of the return window", as: "value" },
  retentionLength: { label: "Length of the return window", as: "value" },
  funnelEvents: { label: "Steps", as: "names" },
  funnelStartCriteria: { label: "Funnel entry", as: "value" },
  funnelCalculationWindow: { label: "Days for the last step", as: "value" },
  funnelStrictOrdering: { label: "Steps in the same millisecond don’t count", as: "value" },
  rollupTimeWindow: { label: "Window", as: "value" },
  customRollUpStart: { label: "First day", as: "value" },
  customRollUpEnd: { label: "Last day", as: "value" },
  waitForCohortWindow: { label: "Only units with a completed window count", as: "value" },
  denominatorRollupTimeWindow: { label: "Window of the denominator", as: "value" },
  denominatorCustomRollupStart: { label: "First day of the denominator", as: "value" },
  denominatorCustomRollupEnd: { label: "Last day of the denominator", as: "value" },
  cap: { label: "Daily cap per unit", as: "value" },
  valueThreshold: { label: "Count units at or above", as: "value" },
  winsorizationLow: { label: "Lower winsorization percentile", as: "value" },
  winsorizationHigh: { label: "Upper winsorization percentile", as: "value" },
  winsorizationLowDenominator: { label: "Lower winsorization percentile of the denominator", as: "value" },
  winsorizationHighDenominator: { label: "Upper winsorization percentile of the denominator", as: "value" },
  cupedAttributionWindow: { label: "Days before the first exposure (CUPED)", as: "value" },
};

export const WINDOW_NAMES = {
  max: "Since the first exposure",
  custom: "A window after it",
  daily_participation_rate: "Since the first exposure, as the share of days with an event",
} as const;

export const STARTS = { start_event: "Units with the first step", exposure: "Every exposed unit" } as const;

const STEP_TYPES: Readonly<Record<Schema<"FunnelEvent">["type"], string>> = {
  event_count: "event",
  event_dau: "event",
  event_count_custom: "metric that counts events",
  event_user: "metric that counts units",
};

/** The counted unit of a funnel of events. A stored metric without it counts units. */
export const COUNTED = { users: "Each unit once", events: "Each first step" } as const;

export const stepText = ({ name, type }: Schema<"FunnelEvent">): string => `${name} (${STEP_TYPES[type]})`;

const withCriteria = (name: string, criteria: readonly CriterionDraft[]): string =>
  criteria.length === 0 ? name : `${name}, if ${criteria.map(criterionText).join(" and ")}`;

/** An event in words: “bought: its value, if country is any of NO, SE”. */
export function eventText({ name, type, metadataKey, criteria }: EventDraft): string {
  const key = hasKey(type) && metadataKey !== "" ? ` (${metadataKey})` : "";
  const counted = EVENT_TYPES[type];
  return withCriteria(`${name}: ${counted.charAt(0).toLowerCase()}${counted.slice(1)}${key}`, criteria);
}

const stepOfSource = ({ name, metricSourceName, criteria }: StepDraft): string =>
  withCriteria(metricSourceName === undefined ? name : `${name} (from ${metricSourceName})`, criteria);

/** A share as a percentage, without the rounding error. */
export const toPercent = (share: number): number => Number((share * 100).toPrecision(15));
export const toShare = (percentage: number): number => Number((percentage / 100).toPrecision(15));

const SHARES: readonly (keyof Warehouse)[] = [
  ...(["percentile", "winsorizationLow", "winsorizationHigh"] as const),
  ...(["winsorizationLowDenominator", "winsorizationHighDenominator"] as const),
];

/** A field of `warehouseNative` as a review shows it. Omitted fields show their default. */
export function warehouseFieldText(field: keyof Warehouse, given: unknown): unknown {
  const value = given ?? (DEFAULTS as Partial<Record<keyof Warehouse, unknown>>)[field];
  if (value === undefined) return value;
  if (SHARES.includes(field)) return `${toPercent(value as number)}%`;
  switch (field) {
    case "aggregation":
      return AGGREGATIONS[value as Aggregation].label;
    case "numeratorAggregation":
    case "denominatorAggregation":
      return PART_AGGREGATIONS[value as PartAggregation].label;
    case "rollupTimeWindow":
    case "denominatorRollupTimeWindow":
      return WINDOW_NAMES[value as keyof typeof WINDOW_NAMES];
    case "funnelStartCriteria":
      return STARTS[value as keyof typeof STARTS];
    case "funnelEvents":
      return (value as readonly StepDraft[]).map(stepOfSource);
    case "criteria":
    case "denominatorCriteria":
      return (value as readonly CriterionDraft[]).map(criterionText);
    default:
      return value;
  }
}
