import { tabSearch } from "../../entity/plain-list-search.ts";
import { type Days, daysBefore, faultOfDays, isDay, utcDay } from "../../ingestion/utc-days.ts";
import { kinds } from "../../kinds/kinds.ts";
import { textIn, withoutAbsent } from "../../shell/search-values.ts";

const readTab = tabSearch(kinds.ingestion_source.tabs);

/** The search parameters of a source's page: its tab, the version of the history, and the shown days. */
export function sourceSearch(search: Record<string, unknown>) {
  const days = { first: textIn(search, "from"), last: textIn(search, "to") };
  const areDays = days.first !== undefined && days.last !== undefined && isDay(days.first) && isDay(days.last);
  return { ...readTab(search), ...(areDays && withoutAbsent({ from: days.first, to: days.last })) };
}

/** The days that an address without days shows: today and the week before it. */
export const usualDays = (now: number): Days => ({ first: daysBefore(now, 7), last: utcDay(now) });

/** The days of an address. @returns undefined if no request can ask for them */
export function parseDays({ from, to }: { from?: string; to?: string }, now: number): Days | undefined {
  const days = from === undefined || to === undefined ? usualDays(now) : { first: from, last: to };
  return faultOfDays(days) === undefined ? days : undefined;
}
