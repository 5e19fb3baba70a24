import type { OperationRequest } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import type { Column } from "../../results/reports/columns.ts";
import { createCsv } from "../../results/reports/csv.ts";
import { dailyPulseColumns, toplineColumns } from "../../results/reports/daily-pulse.ts";
import { firstExposureColumns } from "../../results/reports/first-exposures.ts";
import { createParquet } from "../../results/reports/parquet.ts";
import type { Read } from "../stores.ts";
import { dailyPulse } from "./daily-pulse-handlers.ts";
import { firstExposures } from "./first-exposure-handlers.ts";
import { reportDay } from "./report-handlers.ts";
import { grouped } from "./rows.ts";

type ReportRequest = { query: OperationRequest<operations["downloadReport"]>["query"]; context: Context; read: Read };

const FORMATS = {
  csv: { create: createCsv, mediaType: "text/csv; charset=utf-8; header=present" },
  parquet: { create: createParquet, mediaType: "application/vnd.apache.parquet" },
};

/** The most rows of a part of a file: of a row group in Parquet. Making one takes a few hundredths of a second. */
const PART_SIZE = 10_000;

/** A report as a file that is made while it is read. @throws AppError invalid_request if the day is in the future */
export async function streamReport({ query: { type, date, format = "csv" }, context, read }: ReportRequest) {
  const day = reportDay(date, context.now, await read(({ settings }) => settings.timeZone()));
  const { create, mediaType } = FORMATS[format];
  const bytes = {
    first_exposures: () => streamBytes(firstExposureColumns, firstExposures(day, read), create),
    pulse_daily: () => streamBytes(dailyPulseColumns, dailyPulse(day, read), create),
    topline_impact_daily: () => streamBytes(toplineColumns, dailyPulse(day, read), create),
  }[type]();
  return { name: `${type}-${date}.${format}`, mediaType, parts: bytes };
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
