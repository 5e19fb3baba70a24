import type { Plan } from "../plans/plan.ts";
import {
  type AmountName,
  amountNames,
  boundsOfAmount,
  entryDelay,
  type UnitBoundsRow,
  type UnitValuesRow,
} from "../sql/unit-values-query.ts";
import type { Column } from "./columns.ts";

/** A unit of an experiment, with the cells of its metrics by the names of their columns. */
export type UnitLevelRow = {
  unitID: string;
  groupID: string;
  /** Undefined for a group that was removed. */
  groupName: string | undefined;
  /** Ms since the epoch. */
  firstTime: number;
  cells: ReadonlyMap<string, number>;
};

/** A metric of the report, and its index in the statement that answers its values. */
export type ReportedMetric = { metricID: string; plan: Plan; index: number };

const NAMES: Record<AmountName, string> = {
  y: "value",
  d: "denominator",
  p: "preExposureValue",
  q: "preExposureDenominator",
};

const columnName = (metricID: string, name: AmountName): string => `${metricID}::${NAMES[name]}`;
/** The column with the amount before its bounds. */
const rawColumnName = (metricID: string, name: AmountName): string => `${columnName(metricID, name)}::raw`;

export function unitLevelColumns(metrics: readonly Pick<ReportedMetric, "metricID" | "plan">[]): Column<UnitLevelRow>[] {
  const names = metrics.flatMap(({ metricID, plan }) =>
    amountNames(plan).flatMap((name) => [
      columnName(metricID, name),
      ...(boundsOfAmount(plan, name) ? [rawColumnName(metricID, name)] : []),
    ]),
  );
  return [
    { name: "unitID", type: "text", readCell: (row) => row.unitID },
    { name: "groupID", type: "text", readCell: (row) => row.groupID },
    { name: "groupName", type: "text", readCell: (row) => row.groupName },
    { name: "firstExposureTime", type: "time", readCell: (row) => row.firstTime },
    ...names.map((name): Column<UnitLevelRow> => ({ name, type: "number", readCell: (row) => row.cells.get(name) })),
  ];
}

/** The end of the values, ms, and whether it is the end of the results, when units count whose span ends then. */
export type ValuesEnd = { end: number; isLast: boolean };

/**
 * The cells of a unit for a metric; none before the unit counts.
 * @param since when the unit counts from, ms
 */
export function unitCells(
  { metricID, plan, index }: ReportedMetric,
  row: UnitValuesRow,
  since: number,
  bounds: UnitBoundsRow,
  { end, isLast }: ValuesEnd,
): [string, number][] {
  const entry = since + entryDelay(plan);
  if (isLast ? entry > end : entry >= end) return [];
  return amountNames(plan).flatMap((name): [string, number][] => {
    const raw = row[`${name}${index}`] ?? 0;
    if (!boundsOfAmount(plan, name)) return [[columnName(metricID, name), raw]];
    // Bounds are those of units with events.
    const isClipped = name === "p" || name === "q" || Number(row.has_events) === 1;
    const [low, high] = [bounds[`low_${name}${index}`], bounds[`high_${name}${index}`]];
    return [
      [columnName(metricID, name), isClipped ? clipped(raw, low, high) : raw],
      [rawColumnName(metricID, name), raw],
    ];
  });
}

/** An amount within its bounds. 0 stays: an inactive unit is not an outlier. */
function clipped(amount: number, low: number | null | undefined, high: number | null | undefined): number {
  if (amount === 0) return 0;
  return Math.min(Math.max(amount, low ?? Number.NEGATIVE_INFINITY), high ?? Number.POSITIVE_INFINITY);
}
