import type { Handlers } from "@gatehouse/contract";
import type { operations, WritableSchema } from "@gatehouse/contract/console";
import { conflict, invalid, type Violation } from "../../common/errors.ts";
import { utcDay } from "../../common/utc-day.ts";
import { paginate, toWindow } from "../common/page.ts";
import type { Env, Stores } from "../stores.ts";
import { type Days, requireDays } from "./ingested-days.ts";
import { requireAddress } from "./ingestion-input.ts";
import { MOST_SOURCES, newRun, toAnswer } from "./ingestion-run.ts";

/** The most waiting or running runs of a project when another one is requested. */
const MOST_UNFINISHED = 5;

export const runHandlers = {
  async startIngestionBackfill({ body, context, stores }) {
    const address = requireAddress(body);
    const days = requirePast(requireDays(body.datestamp_start, body.datestamp_end, DATES), context.now);
    const sources = await requireSourceNames(address, body.source ?? null, stores);
    const { runs } = stores.ingestion;
    await runs.lock();
    if ((await runs.countUnfinished()) >= MOST_UNFINISHED)
      throw conflict(
        `${MOST_UNFINISHED} runs of the project wait or are executed. Start another one when one of them has finished.`,
        "body",
      );
    const { dataset } = address;
    const run = newRun({ dataset, trigger: "backfill", sources, days: eachDay(days) }, context);
    await runs.add(run);
    return { status: 200, body: { message: "Ingestion backfilled successfully.", data: { runID: run.id } } };
  },

  async listIngestionRuns({ query: { limit = 20, ...query }, stores }) {
    const page = { ...query, limit };
    const { data, total } = await stores.ingestion.runs.list(toWindow(page));
    const pagination = paginate("/console/v1/ingestion/runs", page, total);
    return { status: 200, body: { message: "Ingestion runs listed successfully.", data: data.map(toAnswer), pagination } };
  },

  async getIngestionRun({ path, stores }) {
    const data = toAnswer(await stores.ingestion.runs.get(path.id));
    return { status: 200, body: { message: "Ingestion run read successfully.", data } };
  },
} satisfies Partial<Handlers<operations, Env>>;

const DATES = { start: "datestamp_start", end: "datestamp_end" };

/** @throws AppError invalid_request if a day has not begun */
function requirePast(days: Days, now: number): Days {
  if (days.to > utcDay(now)) throw invalid([{ property: DATES.end, errorMessage: "must not be in the future" }]);
  return days;
}

const eachDay = ({ from, to }: Days) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/** The names of a backfill's sources. @throws AppError invalid_request if one is not of the type and dataset, or all are missing */
async function requireSourceNames(
  address: ReturnType<typeof requireAddress>,
  given: WritableSchema<"IngestionBackfill">["source"],
  { ingestion }: Stores,
): Promise<string[]> {
  const { type, dataset } = address;
  const refuse = (errorMessage: string) => invalid([{ property: "source", errorMessage }]);
  if (given === null || given === undefined) {
    const enabled = await ingestion.listEnabled(address, MOST_SOURCES);
    if (enabled.length === 0) throw refuse(`is required: no source of the type ${type} and the dataset ${dataset} is enabled`);
    if (enabled.length > MOST_SOURCES) throw refuse(`is required: more than ${MOST_SOURCES} sources are enabled`);
    return enabled.map(({ id }) => id).sort();
  }
  const names = [...new Set(typeof given === "string" ? [given] : given)];
  const found = await ingestion.findAll(names);
  const violations = names.flatMap((name, index): Violation[] => {
    const source = found.get(name);
    const property = typeof given === "string" ? "source" : `source[${index}]`;
    if (!source) return [{ property, errorMessage: `names the source ${name}, which does not exist` }];
    if (source.type === type && source.data.dataset === dataset) return [];
    return [{ property, errorMessage: `names the source ${name}, whose type is ${source.type} and dataset ${source.data.dataset}` }];
  });
  if (violations.length > 0) throw invalid(violations);
  return names.sort();
}
