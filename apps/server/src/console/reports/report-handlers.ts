import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../errors.ts";
import { dateOf } from "../../results/day.ts";
import type { SchemaEnv } from "../../stores.ts";
import { singleDay } from "../metrics/day-values.ts";
import type { ReportDay } from "./report.ts";

export const reportHandlers = {
  async getReport({ query: { type, date, format = "csv" }, context, stores, origin }) {
    const day = reportDay(date, context.now);
    const url = `${origin}/console/v1/reports/file?${new URLSearchParams({ type, date, format })}`;
    const experiments = await stores.reports.countExperiments(type, day);
    return { status: 200, body: { message: "Report URL generated successfully", data: { url, experiments } } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;

/** @throws AppError invalid_request if there is no such day, or it is in the future */
export function reportDay(date: string, now: number): ReportDay {
  const time = Date.parse(date);
  // The contract's format lets days through that no month has.
  if (Number.isNaN(time) || dateOf(time) !== date) throw invalid([{ property: "date", errorMessage: "must be a day of the calendar" }]);
  return { date, start: time, end: singleDay(time, now).end };
}
