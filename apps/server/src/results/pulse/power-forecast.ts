import type { Schema } from "@gatehouse/contract/console";
import { type Planned, powerOfDay, type UnitValue, unitsNeeded, unitValue } from "./power.ts";
import type { Sums } from "./sums.ts";

type Power = Schema<"Power">;

export type Assumed = {
  /** All units that come on a day, in the experiment or not. Undefined: as on recent days. */
  unitsPerDay?: number | undefined;
  /** Undefined: as of recent units. */
  value?: UnitValue | undefined;
};

/** Days whose arrivals say how many units come later. */
const RATE_DAYS = 7;
const MAX_DAYS = 365;
/** Ten years. */
const MAX_NEEDED_DAYS = 3650;

/**
 * What an experiment would find, on recent days and after them.
 * @param recent the sums of all units by day, from `sumsByDay`
 * @param count how many days to answer at least
 * @param effect in percent
 */
export function forecastPower(
  recent: readonly Sums[],
  count: number,
  planned: Planned,
  { effect, assumed }: { effect: number | undefined; assumed: Assumed },
): Pick<Power, "days" | "unitsPerDay" | "needed" | "reason"> {
  const units = recent.map(({ n, k }) => (planned.isRatio ? k : n));
  const values = recent.map((sums) => assumed.value ?? unitValue(sums, planned));
  const latest = assumed.value ?? values.at(-1);
  const unitsPerDay = assumed.unitsPerDay ?? recentRate(units);
  if (unitsPerDay === undefined) return { days: [], reason: "No units arrived on recent days, so the traffic is unknown." };
  const isForecast = (day: number) => assumed.unitsPerDay !== undefined || day > units.length;
  const unitsOn = (day: number): number =>
    assumed.unitsPerDay === undefined ? (units[day - 1] ?? (units.at(-1) ?? 0) + (day - units.length) * unitsPerDay) : day * unitsPerDay;
  const dayOf = (day: number) => ({
    ...powerOfDay(day, unitsOn(day), values[day - 1] ?? latest, planned),
    ...(isForecast(day) && { isForecast: true }),
  });
  const { needed, reason } = findNeeded();
  const last = unitsPerDay > 0 ? Math.max(count, Math.min(MAX_DAYS, needed?.day ?? 0)) : units.length;
  const days = Array.from({ length: last }, (_, index) => dayOf(index + 1));
  return { days, unitsPerDay, ...(needed && { needed }), ...(reason !== undefined && { reason }) };

  function findNeeded(): Pick<Power, "needed" | "reason"> {
    if (!latest) return { reason: "Too few units arrived on recent days to estimate the metric." };
    if (latest.variance === 0) return { reason: "All recent units have the same value, so the detectable effect can't be estimated." };
    if (effect === undefined) return {};
    if (latest.mean === 0) return { reason: "The mean is 0, so no relative effect can be estimated." };
    const found = units.findIndex((_, index) => (dayOf(index + 1).effect ?? Number.POSITIVE_INFINITY) <= effect);
    const all = unitsNeeded(effect, values[found] ?? latest, planned);
    if (all > Number.MAX_SAFE_INTEGER) return { reason: "The effect is too small to be detected." };
    const day = found < 0 ? forecastDay(all) : found + 1;
    const { control, test } = planned.shares;
    const needed = { units: Math.ceil(all * planned.allocation), unitsPerGroup: Math.ceil(all * Math.min(control, test)) };
    if (day <= MAX_NEEDED_DAYS) return { needed: { ...needed, day } };
    return {
      needed,
      reason:
        unitsPerDay === 0
          ? "No new units arrived on recent days."
          : "At this traffic, it would take more than ten years to get enough units.",
    };
  }

  /** The first day after the recent ones on which so many units have come. */
  function forecastDay(all: number): number {
    if (unitsPerDay === undefined || unitsPerDay === 0) return Number.POSITIVE_INFINITY;
    const before = assumed.unitsPerDay === undefined ? (units.at(-1) ?? 0) : units.length * unitsPerDay;
    return units.length + Math.max(1, Math.ceil((all - before) / unitsPerDay));
  }
}

/** The mean number of new units a day on the last days. The first day is left out if there are others: it has everyone who comes often. */
function recentRate(units: readonly number[]): number | undefined {
  const [last, first] = [units.at(-1), units.at(-1 - Math.min(RATE_DAYS, units.length - 1))];
  if (last === undefined || first === undefined) return undefined;
  return units.length === 1 ? last : (last - first) / Math.min(RATE_DAYS, units.length - 1);
}
