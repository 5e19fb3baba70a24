/** The format that the contract gives to times: milliseconds since the epoch. */
export const TIME_FORMAT = "unix-milliseconds";

/** As seconds, these are the years 2001 to 2286. As milliseconds, they are days of early 1970, which callers hardly mean. */
const [MIN_SECONDS, MAX_SECONDS] = [1e9, 1e10];
/** The end of the year 9999. */
const MAX_TIME = 253_402_300_799_999;

/** The reason why a number is an implausible time in milliseconds since the epoch. Undefined for a plausible time. */
export function timeError(value: number): string | undefined {
  if (value >= MIN_SECONDS && value < MAX_SECONDS) {
    return `must be in milliseconds since the epoch, but ${value} looks like a time in seconds. In milliseconds it is ${value * 1000}`;
  }
  if (value <= MAX_TIME) return undefined;
  return `must be in milliseconds since the epoch, but ${value} is after the year 9999. It may be in microseconds or nanoseconds`;
}

export function isPlausibleTime(value: number): boolean {
  return timeError(value) === undefined;
}
