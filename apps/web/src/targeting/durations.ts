// Lengths of time in words. Pure.
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** The units of a duration, the largest first. */
export const DURATION_UNITS = [
  { name: "day", ms: DAY_MS },
  { name: "hour", ms: HOUR_MS },
  { name: "minute", ms: MINUTE_MS },
  { name: "second", ms: 1_000 },
  { name: "millisecond", ms: 1 },
] as const;

const LAST = DURATION_UNITS[4];

/** The largest unit that gives a whole number. @param ms at least 0 */
export const unitOf = (ms: number): (typeof DURATION_UNITS)[number] => DURATION_UNITS.find((one) => ms % one.ms === 0) ?? LAST;

/** `5 minutes`: in the largest unit that gives a whole number. */
export function durationInWords(ms: number): string {
  const unit = unitOf(ms);
  return counted(ms / unit.ms, unit.name);
}

/** `3 hours`: in the largest unit of which there is one, without the rest. For durations that nobody chose. */
export function roughDuration(ms: number): string {
  const unit = DURATION_UNITS.find((one) => ms >= one.ms && one.ms >= MINUTE_MS);
  return unit === undefined ? "less than a minute" : counted(Math.floor(ms / unit.ms), unit.name);
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
