import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { TimeZone } from "../../common/time-zone.ts";
import { singleDay } from "../metrics/day-values.ts";
import type { SchemaEnv } from "../stores.ts";
import type { ReportDay } from "./report.ts";

export const reportHandlers = {
  async getReport({ query: { type, date, format = "csv" }, context, stores, origin }) {
    const day = reportDay(date, context.now, await stores.settings.timeZone());
    const url = `${origin}/console/v1/reports/file?${new URLSearchParams({ type, date, format })}`;
    const experiments = await stores.reports.countExperiments(type, day);
    return { status: 200, body: { message: "Report URL generated successfully", data: { url, experiments } } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;

/** @throws AppError invalid_request if the day does not exist or is in the future */
export function reportDay(date: string, now: number, timeZone: TimeZone): ReportDay {
  const { days, end } = singleDay(date, now, timeZone);
  return { date, start: days[0] ?? end, end };
}
