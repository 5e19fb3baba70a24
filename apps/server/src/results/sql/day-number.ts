import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/** When days begin, ms: those on which exposures count, and those before them. */
type Days = { days: readonly number[]; earlierDays: readonly number[] };

/** The SQL of the number of the day of a time; 1 is the first on which exposures count. */
export function dayNumber(time: string, { days, earlierDays }: Days, dialect: Dialect, bind: Bind): string {
  return `${dialect.position(time, bind.integers([...earlierDays, ...days]))} - ${bind.integer(earlierDays.length)}`;
}
