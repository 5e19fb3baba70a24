import { utcDay } from "../../ui/iso-time.ts";
import type { AuditLogSearch } from "./page-search.ts";

const DAY_MS = 86_400_000;

/** Periods that end now, by the days before today that they begin. */
export const PERIODS: Readonly<Record<string, { label: string; daysBefore: number | undefined }>> = {
  any: { label: "Any time", daysBefore: undefined },
  today: { label: "Today", daysBefore: 0 },
  week: { label: "Last 7 days", daysBefore: 6 },
  month: { label: "Last 30 days", daysBefore: 29 },
};
export const CUSTOM = "custom";

/** The first day in UTC of a period. Undefined for any time. @param now ms since the epoch */
export function firstDay(period: string, now: number): string | undefined {
  const before = PERIODS[period]?.daysBefore;
  return before === undefined ? undefined : utcDay(now - before * DAY_MS);
}

/** The period that the address's days are, or `CUSTOM`. */
export const periodOf = ({ from, to }: AuditLogSearch, now: number): string =>
  (to === undefined && Object.keys(PERIODS).find((id) => firstDay(id, now) === from)) || CUSTOM;
