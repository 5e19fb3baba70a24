import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, invalid, type Violation } from "../../common/errors.ts";
import { DAY_MS, utcDay } from "../../common/utc-day.ts";
import { metricID, namedEach, namedLabels, namedMetrics, namedUnit } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { checkDefinition, defaultEventType } from "./metric-checks.ts";

export type Metric = Schema<"Metric">;
type MetricCreate = WritableSchema<"MetricCreate">;
type MetricPreview = Omit<WritableSchema<"MetricPreviewRequest">, "days" | "unitType">;
type MetricUpdate = WritableSchema<"MetricUpdate">;

export const DEFAULTS = {
  description: "",
  directionality: "increase",
  tags: [],
  unitTypes: [],
  metricEvents: [],
  metricComponentMetrics: [],
  funnelEventList: [],
  rollupTimeWindow: "max",
  isVerified: false,
  isReadOnly: false,
  isPermanent: false,
  isHidden: false,
  archiveTime: null,
  team: null,
  teamID: null,
} satisfies Partial<Metric>;

/** Creates a metric. @throws AppError invalid_request with every violation */
export function newMetric({ dryRun, ...given }: MetricCreate, context: Context): Metric {
  const violations: Violation[] = [];
  if (given.name === "metric_source") {
    violations.push({ property: "name", errorMessage: "cannot be metric_source, because that path is of metric sources" });
  }
  return defined({ id: metricID(given), ...DEFAULTS, ...created(context), ...given, lineage: NO_LINEAGE }, violations);
}

/** A metric that is computed and never stored. @throws AppError invalid_request with every violation of its definition */
export function metricToPreview({ name = "Preview", ...given }: MetricPreview, context: Context): Metric {
  return defined({ id: metricID({ name, type: given.type }), ...DEFAULTS, ...created(context), ...given, name, lineage: NO_LINEAGE }, []);
}

/**
 * The metric with the given fields changed.
 * @throws AppError conflict if it is archived; invalid_request with every violation
 */
export function changeMetric(metric: Metric, { dryRun, ...given }: MetricUpdate, context: Context): Metric {
  const violations: Violation[] = [];
  for (const property of ["name", "type"] as const) {
    if (given[property] === undefined || given[property] === metric[property]) continue;
    violations.push({ property, errorMessage: "cannot be changed" });
  }
  const changed = defined({ ...withoutOldWindow(metric, given), ...given, ...modified(metric, context) }, violations);
  if (metric.isHidden) throw conflict(`Metric ${metric.id} is archived. Unarchive it first.`, "isHidden");
  return changed;
}

/** The old version as a new one, which is archived if the metric is. */
export function restoreMetric(metric: Metric, old: Metric, context: Context): Metric {
  const { isHidden, archiveTime } = metric;
  return { ...old, isHidden, archiveTime, ...modified(metric, context) };
}

/** To be archived when the next day begins, in UTC. @throws AppError conflict if it is archived or permanent */
export function scheduleArchive(metric: Metric, context: Context): Metric {
  if (metric.isHidden) throw conflict(`Metric ${metric.id} is archived already.`, "isHidden");
  requireNotPermanent(metric, "archived");
  return { ...metric, archiveTime: (utcDay(context.now) + 1) * DAY_MS, ...modified(metric, context) };
}

/** Stays in use. @throws AppError conflict if it is not to be archived */
export function cancelArchive(metric: Metric, context: Context): Metric {
  if (metric.isHidden || metric.archiveTime === null) {
    throw conflict(`Metric ${metric.id} is not scheduled to be archived.`, "archiveTime");
  }
  return { ...metric, archiveTime: null, ...modified(metric, context) };
}

/** Takes it out of use. */
export function archiveMetric(metric: Metric, context: Context): Metric {
  return { ...metric, isHidden: true, ...modified(metric, context) };
}

/** Takes it back into use. @throws AppError conflict if it is not archived */
export function unarchiveMetric(metric: Metric, context: Context): Metric {
  if (!metric.isHidden) throw conflict(`Metric ${metric.id} is not archived.`, "isHidden");
  return { ...metric, isHidden: false, archiveTime: null, ...modified(metric, context) };
}

/** Whether it is to be archived by now. */
export function isArchiveDue({ isHidden, archiveTime }: Metric, now: number): boolean {
  return !isHidden && archiveTime !== null && archiveTime <= now;
}

/** @throws AppError conflict */
export function requireNotPermanent({ id, isPermanent }: Metric, fate: string): void {
  if (isPermanent) throw conflict(`Metric ${id} cannot be ${fate}: it is permanent.`, "isPermanent");
}

/** The metric's references. */
export function namedByMetric(metric: Metric): Reference[] {
  const { tags, teamID, unitTypes, metricComponentMetrics, warehouseNative } = metric;
  const sources = listSources(warehouseNative).map(({ source, place }) => ({ type: "metric_source" as const, id: source, place }));
  return [
    ...namedLabels({ tags, teamID }),
    ...unitTypes.flatMap((unit, index) => namedUnit(unit, `unitTypes[${index}]`)),
    ...namedMetrics(metricComponentMetrics, "metricComponentMetrics"),
    ...namedEach("metric", stepMetrics(metric), "funnelEventList"),
    ...sources,
  ];
}

/** The days of a window go with it. */
function withoutOldWindow(metric: Metric, { rollupTimeWindow }: MetricUpdate): Metric {
  if (rollupTimeWindow === undefined || rollupTimeWindow === "custom") return metric;
  const { customRollUpStart, customRollUpEnd, ...rest } = metric;
  return rest;
}

const NO_LINEAGE: Metric["lineage"] = { events: [], metrics: [] };

/** The metric with the fields that follow from its definition. @throws AppError invalid_request with every violation */
function defined(metric: Metric, violations: Violation[]): Metric {
  const type = defaultEventType(metric);
  const complete = { ...metric, metricEvents: metric.metricEvents.map((event) => ({ ...event, type: event.type ?? type })) };
  checkDefinition(complete, violations);
  if (violations.length > 0) throw invalid(violations);
  return { ...complete, lineage: toLineage(complete) };
}

function toLineage(metric: Metric): Metric["lineage"] {
  const { metricEvents, funnelEventList, metricComponentMetrics, warehouseNative } = metric;
  const steps = [
    ...funnelEventList.filter(({ type }) => type === "event_count" || type === "event_dau"),
    ...(warehouseNative?.funnelEvents ?? []).filter(({ metricSourceName }) => metricSourceName === undefined),
  ];
  return {
    events: [...new Set([...metricEvents, ...steps].flatMap(({ name }) => name ?? []))],
    metrics: [...new Set([...metricComponentMetrics.map(metricID), ...stepMetrics(metric)])],
  };
}

/** The ids of the metrics that are steps of a funnel. */
function stepMetrics({ funnelEventList }: Metric): string[] {
  return funnelEventList.filter(({ type }) => type === "event_count_custom" || type === "event_user").map(metricID);
}

/** The metric sources of a metric, with their places. */
function listSources(definition: Metric["warehouseNative"]): { source: string; place: string }[] {
  if (!definition) return [];
  const named = [
    { source: definition.metricSourceName, place: "warehouseNative.metricSourceName" },
    { source: definition.denominatorMetricSourceName, place: "warehouseNative.denominatorMetricSourceName" },
    ...(definition.funnelEvents ?? []).map(({ metricSourceName }, index) => ({
      source: metricSourceName,
      place: `warehouseNative.funnelEvents[${index}].metricSourceName`,
    })),
  ];
  return named.flatMap(({ source, place }) => (source === undefined ? [] : [{ source, place }]));
}
