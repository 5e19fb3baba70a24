import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { invalid } from "../../common/errors.ts";
import type { TimeZone } from "../../common/time-zone.ts";
import type { Experiment } from "../experiments/experiment.ts";
import { singleDay } from "../metrics/day-values.ts";
import type { SchemaEnv, Stores } from "../stores.ts";
import type { ReportDay, ReportQuery } from "./report.ts";

export const reportHandlers = {
  async getReport({ query, context, stores, baseUrl }) {
    const { type, date, format = "csv" } = query;
    const day = reportDay(date, context.now, await stores.settings.timeZone());
    const experimentID = (await requireExperiment(query, stores))?.id;
    const asked = new URLSearchParams({ type, date, format, ...(experimentID !== undefined && { experimentID }) });
    const url = `${baseUrl}/console/v1/reports/file?${asked}`;
    const experiments = await stores.reports.countExperiments(type, day, experimentID);
    return { status: 200, body: { message: "Report URL generated successfully", data: { url, experiments } } };
  },
} satisfies Partial<Handlers<operations, SchemaEnv>>;

/**
 * The experiment of a report about one; undefined for reports about all.
 * @throws AppError invalid_request if it is missing, unknown, or named for a report about all
 */
export async function requireExperiment(
  { type, experimentID }: Pick<ReportQuery, "type" | "experimentID">,
  { experiments }: Pick<Stores, "experiments">,
): Promise<Experiment | undefined> {
  const refuse = (errorMessage: string) => invalid([{ property: "experimentID", errorMessage }]);
  if (type !== "unit_level") {
    if (experimentID !== undefined) throw refuse(`must be left out of ${type}, which is about every experiment`);
    return undefined;
  }
  if (experimentID === undefined) throw refuse("is required for unit_level");
  const experiment = await experiments.find(experimentID);
  if (!experiment) throw refuse("does not exist");
  return experiment;
}

/** @throws AppError invalid_request if the day does not exist or is in the future */
export function reportDay(date: string, now: number, timeZone: TimeZone): ReportDay {
  const { days, end } = singleDay(date, now, timeZone);
  return { date, start: days[0] ?? end, end };
}
