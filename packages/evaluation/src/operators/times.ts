import { number } from "../value.ts";
import type { Comparison } from "./comparison.ts";

const DAY_MS = 86_400_000;

const COMPARISONS = {
  before: (left: number, right: number) => left < right,
  after: (left: number, right: number) => left > right,
  on: (left: number, right: number) => Math.trunc(left / DAY_MS) === Math.trunc(right / DAY_MS),
};

/** Only these operators compare the current time; for others it is an absent value. */
export function isTimeOperator(operator: string | null | undefined): operator is keyof typeof COMPARISONS {
  return operator === "before" || operator === "after" || operator === "on";
}

/** Smaller numbers of users are in seconds. */
const MIN_MILLISECONDS = 1e10;
/** Longer texts of users are not times. That excludes fractions of a second and zone offsets. */
const MAX_VALUE_LENGTH = 20;

/** Compares times in ms or, for values of users, in seconds. `on` compares days in UTC. A value that is not a time never matches. */
export function compareTimes(operator: keyof typeof COMPARISONS, target: unknown): Comparison {
  const right = Math.trunc(moment(target) ?? number(target) ?? Number.NaN);
  if (Number.isNaN(right)) return () => false;
  const holds = COMPARISONS[operator];
  return (value) => {
    const left = typeof value === "string" && value.length > MAX_VALUE_LENGTH ? undefined : moment(value);
    return left !== undefined && holds(left < MIN_MILLISECONDS ? left * 1000 : left, right);
  };
}

const WHOLE = /^[+-]?\d+$/;
const ISO = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const PLAIN = /^(\d{4})-(\d\d?)-(\d\d?) (\d\d?):(\d\d?):(\d\d?)$/;

/** SDKs store times in 64-bit integers. */
const MAX_TIME = 2 ** 63;

function moment(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) < MAX_TIME ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (WHOLE.test(value)) return Math.abs(Number(value)) < MAX_TIME ? Number(value) : undefined;
  const [, ...parts] = ISO.exec(value) ?? PLAIN.exec(value) ?? [];
  if (parts.length === 0) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
  // biome-ignore lint/style/noRestrictedGlobals: it counts days, and does not read the clock.
  const midnight = new Date(Date.UTC(year, month - 1, day));
  const isDate = midnight.getUTCMonth() === month - 1 && midnight.getUTCDate() === day;
  if (!isDate || hour > 23 || minute > 59 || second > 60) return undefined;
  const [fraction = "0", sign, zoneHour, zoneMinute] = parts.slice(6);
  const offset = sign ? Number(`${sign}1`) * (Number(zoneHour) * 60 + Number(zoneMinute)) : 0;
  return midnight.getTime() + ((hour * 60 + minute - offset) * 60 + second) * 1000 + Math.trunc(Number(fraction) * 1000);
}
