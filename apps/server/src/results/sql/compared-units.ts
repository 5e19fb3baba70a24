import { utcDay } from "../../common/utc-day.ts";
import type { Dialect } from "./dialect.ts";
import { type ExposureSource, FAIL, PASS } from "./exposed.ts";
import type { Bind } from "./statement.ts";

/** Events of a unit are kept from so long before its first exposure, since results compare units with their earlier behavior. */
export const DAYS_BEFORE_EXPOSURE = 14;

/**
 * The units whose events are kept beyond the retention: all units of the smaller side, and the share of the other side, 0 to 1, that makes
 * it as large. So a holdout of one per cent keeps the events of two per cent of all units.
 */
export function comparedUnits(passPercentage: number): { smallerPasses: boolean; shareOfOthers: number } {
  const smallerPasses = passPercentage <= 50;
  const smaller = smallerPasses ? passPercentage : 100 - passPercentage;
  return { smallerPasses, shareOfOthers: smaller / (100 - smaller) };
}

/**
 * Whether a unit is in the share: always the same units, by a hash.
 * @param analysis an SQL expression that differs between analyses: type and id, each followed by a space
 */
export function isChosen(analysis: string, unit: string, share: number, dialect: Dialect): string {
  return `${dialect.hash(`${analysis} || ${unit}`)} < ${Math.ceil(share * 2 ** 32)}`;
}

/**
 * Whether a unit's events are complete, as a condition that begins with `and`. After a day of the results is dropped, units of the larger
 * side of a gate or holdout are compared only if their events are kept.
 */
export function andComplete(
  exposureSource: ExposureSource,
  startTime: number,
  unit: string,
  group: string,
  dialect: Dialect,
  bind: Bind,
): string {
  if (exposureSource.type === "experiment") return "";
  const { smallerPasses, shareOfOthers } = comparedUnits(exposureSource.passPercentage);
  const since = utcDay(startTime) - DAYS_BEFORE_EXPOSURE;
  const analysis = bind.text(`${exposureSource.type} ${exposureSource.id} `);
  return ` and (not exists (select 1 from ${dialect.table("dropped_event_day")} where "day" >= ${bind.integer(since)})
    or ${group} = '${smallerPasses ? PASS : FAIL}' or ${isChosen(analysis, unit, shareOfOthers, dialect)})`;
}
