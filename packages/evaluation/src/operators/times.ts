import { number } from "../value.ts";
import type { Test } from "./test.ts";

const DAY = 86_400_000;

const COMPARISONS = {
  before: (left: number, right: number) => left < right,
  after: (left: number, right: number) => left > right,
  on: (left: number, right: number) => Math.trunc(left / DAY) === Math.trunc(right / DAY),
};

/** Moments in ms; a value in seconds is told by its size. `on` is the day in UTC. What is no moment fulfils nothing. */
export function compareTimes(operator: keyof typeof COMPARISONS, target: unknown): Test {
  const right = moment(target) ?? number(target);
  if (right === undefined) return () => false;
  const holds = COMPARISONS[operator];
  return (value) => {
    const left = moment(value);
    return left !== undefined && holds(left < LEAST_MILLISECONDS ? left * 1000 : left, right);
  };
}

const LEAST_MILLISECONDS = 1e12;
const WHOLE = /^[+-]?\d+$/;
const MOMENT = /^\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)| \d\d:\d\d:\d\d)$/;

function moment(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isInteger(value) ? value : undefined;
  if (typeof value !== "string") return undefined;
  if (WHOLE.test(value)) return Number(value);
  if (!MOMENT.test(value)) return undefined;
  // biome-ignore lint/style/noRestrictedGlobals: it reads a text, not the clock.
  const time = Date.parse(value.length === 19 ? `${value}Z` : value);
  return Number.isNaN(time) ? undefined : time;
}
