import type { Schema } from "@gatehouse/contract/console";
import {
  compareMeans,
  type DailyEstimates,
  describeTrend,
  type Estimate,
  lackOfTrends,
  normalQuantile,
  type TrendVerdict,
} from "@gatehouse/statistics";
import type { Plan } from "../plans/plan.ts";
import type { DayOfUnitsRow, EnteredRow } from "../sql/effect-by-day.ts";
import { withBases } from "./ask-sums.ts";
import { computeNumbers, type Question, USUAL_POWER } from "./pulse-metric.ts";
import { lackText, reasonText } from "./reasons.ts";
import { estimateEarlier, estimateMean } from "./sum-moments.ts";
import { dailySums, type GroupSums, NOTHING, type Sums } from "./sums.ts";

type EffectByDay = Schema<"ExperimentEffectByDay">;
type Trend = Schema<"EffectTrend">;
type DayEffect = Schema<"DayEffect"> & Pick<EffectByDay["calendarDays"][number], "controlUnits" | "testUnits">;

/** The compared groups, and how: two-sided, once, without adjustment. */
export type DayQuestion = Pick<Question, "controlID" | "testID" | "alpha" | "isRatio">;

/** The most days of either kind, and those that a trend has. */
export const MOST_DAYS = 60;
const LEAST_TREND_DAYS = 3;
const MOST_TREND_DAYS = 28;

const ONE_LOOK = "The test holds for one look, at the planned end.";
const OF_RATIO = "Ratios aren’t tested for a change, because a unit may have no denominator on a day.";
const TOO_EARLY = `Half of each group’s units have to be observed for ${LEAST_TREND_DAYS} whole days.`;

/** The sums of each day by group. */
export type SumsByDay = ReadonlyMap<number, GroupSums>;

/** The sums of a plan by day and group, from statements that may be asked again with bases. */
export async function askByDay(ask: (plan: Plan) => Promise<DayOfUnitsRow[]>, plan: Plan): Promise<SumsByDay> {
  // Each day and group may lose digits by itself.
  const [sums = []] = await withBases([plan], async ([asked = plan]) => {
    const rows = await ask(asked);
    return [
      dailySums(
        rows.map((row) => ({ ...row, grp: JSON.stringify([Number(row.day), row.grp]) })),
        asked.bases,
      ),
    ];
  });
  const byDay = new Map<number, GroupSums>();
  for (const { groupID: key, sums: own } of sums) {
    const [day, groupID] = JSON.parse(key) as [number, string];
    byDay.set(day, { ...byDay.get(day), [groupID]: own });
  }
  return byDay;
}

/** How many units each group has. */
export type UnitsOfGroups = Readonly<Record<string, number>>;

/** The units of each group that meet a condition. */
export function countUnits(rows: readonly EnteredRow[], meets: (row: { entered: number; observed: number }) => boolean): UnitsOfGroups {
  const units: Record<string, number> = {};
  for (const { grp, entered, observed, units: count } of rows)
    if (meets({ entered: Number(entered), observed: Number(observed) })) units[grp] = (units[grp] ?? 0) + Number(count);
  return units;
}

/** The effect of a day. Units without an event on the day have the amount 0. */
export function effectOfDay(sums: GroupSums | undefined, units: UnitsOfGroups, question: DayQuestion): DayEffect {
  const { controlID, testID } = question;
  const groups = { [controlID]: ofAll(sums?.[controlID], units[controlID]), [testID]: ofAll(sums?.[testID], units[testID]) };
  const { numbers } = computeNumbers(groups, {
    ...question,
    ...{ isCupedAsked: false, isSequential: false, plan: { type: "two_sided" }, isDecreaseBetter: false, sprt: undefined },
  });
  const { controlUnits = 0, testUnits = 0, controlMean, testMean, absoluteChange, percentChange, verdict } = numbers;
  const reason = numbers.reason ?? verdict?.reason;
  return {
    ...{ controlUnits, testUnits },
    ...(controlMean !== undefined && { controlMean }),
    ...(testMean !== undefined && { testMean }),
    ...(absoluteChange !== undefined && { absoluteChange }),
    ...(percentChange !== undefined && { percentChange }),
    ...(reason === undefined && numbers.absoluteInterval && { absoluteInterval: numbers.absoluteInterval }),
    ...(reason === undefined && numbers.percentInterval && { percentInterval: numbers.percentInterval }),
    ...(reason !== undefined && { reason }),
  };
}

const ofAll = (sums: Sums = NOTHING, units = 0): Sums => ({ ...sums, n: units });

/** The number of days that a trend has: the most for which half of the units of both groups were observed. Undefined if they are too few. */
export function trendDays(rows: readonly EnteredRow[], { controlID, testID }: DayQuestion): number | undefined {
  const all = countUnits(rows, () => true);
  for (let days = MOST_TREND_DAYS; days >= LEAST_TREND_DAYS; days--) {
    const observed = countUnits(rows, (row) => row.observed >= days);
    if ([controlID, testID].every((id) => (observed[id] ?? 0) > 0 && (observed[id] ?? 0) >= (all[id] ?? 0) / 2)) return days;
  }
  return undefined;
}

/** The answer for metrics and times without a trend. */
export const withoutTrend = (isRatio: boolean): Trend => ({ summary: "Not tested for a change.", reason: isRatio ? OF_RATIO : TOO_EARLY });

const SUMMARIES: Readonly<Record<TrendVerdict, string>> = {
  wearsOff: "The effect wears off.",
  grows: "The effect grows.",
  rises: "The effect rises.",
  falls: "The effect falls.",
  noChange: "No change in the effect is shown.",
};

/** The comparison of trends. @param isBeforeEnd whether there may be further looks at a sequential experiment */
export function compareTrends(
  sums: GroupSums,
  units: UnitsOfGroups,
  { days, isBeforeEnd }: { days: number; isBeforeEnd: boolean },
  { controlID, testID, alpha }: DayQuestion,
): Trend {
  const [controlUnits = 0, testUnits = 0] = [units[controlID], units[testID]];
  const known = {
    tested: `The change from day 0 to day ${days - 1} on the line of least squares of each unit, compared by Welch’s test: two-sided, once, at α = ${Number(alpha.toPrecision(3))}.`,
    ...{ days, controlUnits, testUnits },
  };
  const without = (reason: string): Trend => ({ summary: "Not enough data to test for a change.", reason, ...known });
  const control = toDaily(ofAll(sums[controlID], controlUnits));
  const test = toDaily(ofAll(sums[testID], testUnits));
  if (!control || !test) return without("A group has fewer than two units, so it has no variance.");
  const { value: change, reason } = compareMeans(control.trend, test.trend);
  if (!change) return without(reasonText(reason));
  const z = -normalQuantile(alpha / 2);
  const average = { delta: test.level.mean - control.level.mean, p: compareMeans(control.level, test.level).value?.p ?? 1 };
  const numbers = { change: change.delta, interval: [...change.interval(z)], pValue: change.p, averageChange: average.delta };
  const lack = lackOfTrends(control, test, { alpha });
  if (lack) return { ...without(lackText(lack)), ...numbers };
  const minimumDetectableChange = change.detectable({ z, power: USUAL_POWER });
  const found = { ...known, ...numbers, ...(minimumDetectableChange !== undefined && { minimumDetectableChange }) };
  if (isBeforeEnd) return { summary: "No verdict before the planned end.", reason: ONE_LOOK, ...found };
  const verdict = describeTrend(change, average, alpha);
  return { summary: SUMMARIES[verdict], verdict, ...found };
}

function toDaily(sums: Sums): DailyEstimates | undefined {
  const [trend, level]: (Estimate | undefined)[] = [estimateMean(sums, false).value, estimateEarlier(sums, false).value];
  return trend && level && { trend, level };
}
