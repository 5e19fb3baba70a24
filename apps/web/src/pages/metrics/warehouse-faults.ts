// The faults of a draft of a metric of the type `user_warehouse`. Pure.
import { error, faultsOfCriteria } from "../../criteria/criteria-draft.ts";
import type { Fault } from "../../targeting/types.ts";
import { DEFAULTS, needsColumn } from "./aggregations.ts";
import { type Computed, MIN_STEPS, type StepDraft, takesEvents, type Warehouse } from "./warehouse-draft.ts";

type Field = keyof Warehouse;

/** The faults of the draft, each with its path in a request. */
export function faultsOfWarehouse({ events, warehouse }: Computed): Fault[] {
  const { aggregation, metricSourceName } = warehouse;
  const wanted = aggregation === "ratio" ? 2 : 1;
  const refuse = (field: Field, message: string) => error(`warehouseNative.${field}`, message);
  return [
    ...(takesEvents(warehouse) && events.length < wanted
      ? [error("metricEvents", wanted === 2 ? "A ratio has two events." : "Add an event, or choose a metric source.")]
      : []),
    ...(metricSourceName === "" ? [refuse("metricSourceName", "Choose a metric source.")] : []),
    ...(warehouse.denominatorMetricSourceName === "" ? [refuse("denominatorMetricSourceName", "Choose a metric source.")] : []),
    ...faultsOfColumns(warehouse, refuse),
    ...faultsOfDays(warehouse, refuse),
    ...faultsOfNumbers(warehouse, refuse),
    ...faultsOfCriteria(warehouse.criteria, "warehouseNative.criteria"),
    ...faultsOfCriteria(warehouse.denominatorCriteria, "warehouseNative.denominatorCriteria"),
    ...(aggregation === "funnel" ? faultsOfSteps(warehouse.funnelEvents) : []),
  ];
}

type Refuse = (field: Field, message: string) => Fault;

function faultsOfColumns(warehouse: Warehouse, refuse: Refuse): Fault[] {
  const { aggregation, metricSourceName, numeratorAggregation, denominatorAggregation, valueColumn, denominatorValueColumn } = warehouse;
  if (metricSourceName === undefined) return [];
  const message = "Enter the column with the value.";
  return [
    ...(needsColumn(aggregation === "ratio" ? numeratorAggregation : aggregation) && !valueColumn ? [refuse("valueColumn", message)] : []),
    ...(aggregation === "ratio" && needsColumn(denominatorAggregation) && !denominatorValueColumn
      ? [refuse("denominatorValueColumn", message)]
      : []),
  ];
}

function faultsOfDays(warehouse: Warehouse, refuse: Refuse): Fault[] {
  const days = (window: string | undefined, first: Field, last: Field) => {
    const [start, end] = [warehouse[first], warehouse[last]];
    if (window !== "custom") return [];
    return [
      ...(start === undefined ? [refuse(first, "Enter a day.")] : []),
      ...(end === undefined ? [refuse(last, "Enter a day.")] : []),
      ...(start !== undefined && end !== undefined && end < start ? [refuse(last, "The last day must not be before the first.")] : []),
    ];
  };
  return [
    ...days(warehouse.rollupTimeWindow, "customRollUpStart", "customRollUpEnd"),
    ...days(warehouse.denominatorRollupTimeWindow, "denominatorCustomRollupStart", "denominatorCustomRollupEnd"),
  ];
}

function faultsOfNumbers(warehouse: Warehouse, refuse: Refuse): Fault[] {
  const { aggregation, percentile } = warehouse;
  const bounds = (["", "Denominator"] as const).flatMap((part) => {
    const [low, high] = [warehouse[`winsorizationLow${part}`], warehouse[`winsorizationHigh${part}`]];
    const isTurned = low !== undefined && high !== undefined && low >= high;
    return isTurned ? [refuse(`winsorizationHigh${part}`, "Enter a percentile above the lower one.")] : [];
  });
  const { retentionEnd = DEFAULTS.retentionEnd, retentionLength = DEFAULTS.retentionLength } = warehouse;
  const isPercentile = percentile !== undefined && percentile > 0 && percentile < 1;
  return [
    ...bounds,
    ...(retentionLength > retentionEnd ? [refuse("retentionLength", `Enter at most ${retentionEnd}, the last day.`)] : []),
    ...(aggregation === "percentile" && !isPercentile ? [refuse("percentile", "Enter a percentage between 0 and 100.")] : []),
  ];
}

function faultsOfSteps(steps: readonly StepDraft[]): Fault[] {
  const place = "warehouseNative.funnelEvents";
  return [
    ...(steps.length < MIN_STEPS ? [error(place, "Add at least two steps.")] : []),
    ...steps.flatMap(({ name, metricSourceName, criteria }, index) => [
      ...(name.trim() === "" ? [error(`${place}[${index}].name`, "Enter the name of the step.")] : []),
      ...(metricSourceName === "" ? [error(`${place}[${index}].metricSourceName`, "Choose a metric source.")] : []),
      ...faultsOfCriteria(criteria, `${place}[${index}].criteria`),
    ]),
  ];
}
