import type { OperationRequest } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import type { Column } from "../../results/reports/columns.ts";
import { createCsv } from "../../results/reports/csv.ts";
import { dailyPulseColumns, toplineColumns } from "../../results/reports/daily-pulse.ts";
import { firstExposureColumns } from "../../results/reports/first-exposures.ts";
import { createParquet } from "../../results/reports/parquet.ts";
import type { AnalysisEnv, Read } from "../stores.ts";
import { dailyPulse } from "./daily-pulse-handlers.ts";
import { firstExposures } from "./first-exposure-handlers.ts";
import type { ReportDay, ReportType } from "./report.ts";
import { reportDay, requireExperiment } from "./report-handlers.ts";
import { grouped } from "./rows.ts";
import { openUnitLevel } from "./unit-level-handlers.ts";

type ReportRequest = { query: OperationRequest<operations["downloadReport"]>["query"]; context: Context; read: Read } & Pick<
  AnalysisEnv,
  "analyse" | "limited"
>;

const FORMATS = {
  csv: { create: createCsv, mediaType: "text/csv; charset=utf-8; header=present" },
  parquet: { create: createParquet, mediaType: "application/vnd.apache.parquet" },
};

/** The most rows of a part of a file: of a row group in Parquet. Making one takes a few hundredths of a second. */
const PART_SIZE = 10_000;

/** A report as a file that is made while it is read. @throws AppError invalid_request if the day is in the future */
export async function streamReport(request: ReportRequest) {
  const { query, context, read } = request;
  const { type, date, format = "csv" } = query;
  const day = reportDay(date, context.now, await read(({ settings }) => settings.timeZone()));
  const experiment = await read((stores) => requireExperiment(query, stores));
  const { create, mediaType } = FORMATS[format];
  const name = `${[type, ...(experiment ? [experiment.id] : []), date].join("-")}.${format}`;
  if (!experiment) return { name, mediaType, parts: ofAllExperiments(type, day, read, create) };
  const { columns, rows } = await openUnitLevel(experiment, day, { ...request, projectID: context.projectID });
  return { name, mediaType, parts: streamBytes(columns, rows, create) };
}

function ofAllExperiments(type: ReportType, day: ReportDay, read: Read, create: typeof createCsv) {
  switch (type) {
    case "first_exposures":
      return streamBytes(firstExposureColumns, firstExposures(day, read), create);
    case "pulse_daily":
      return streamBytes(dailyPulseColumns, dailyPulse(day, read), create);
    default:
      return streamBytes(toplineColumns, dailyPulse(day, read), create);
  }
}

async function* streamBytes<Row>(
  columns: readonly Column<Row>[],
  rows: AsyncIterable<Row[]>,
  create: typeof createCsv<Row>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = create(columns);
  const source = rows[Symbol.asyncIterator]();
  // Read before the response begins, so that an unavailable database gets its own error.
  const first = await source.next();
  yield file.begin();
  for await (const part of grouped(continued(first, source), PART_SIZE)) yield file.add(part);
  yield file.end();
}

async function* continued<Row>(first: IteratorResult<Row[]>, rest: AsyncIterator<Row[]>): AsyncGenerator<Row[], void, undefined> {
  for (let part = first; !part.done; part = await rest.next()) yield part.value;
}
