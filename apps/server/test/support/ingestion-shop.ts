import pino from "pino";
import { ingestionRuns } from "../../src/jobs/ingestion-runs.ts";
import type { Job } from "../../src/jobs/jobs.ts";
import type { TestServer } from "./server.ts";
import type { ShopWarehouse } from "./shop-warehouse.ts";

const _DAY_MS = 86_400_000;

export const createEnv = (server: TestServer, stopping?: AbortSignal) => ({
  database: server.database,
  log: pino({ level: "silent" }),
  now: () => server.clock.now,
  ...(stopping && { stopping }),
});

export const runJob = (server: TestServer, job: Job = ingestionRuns) => job.run(createEnv(server));

/** Makes the table of a shop's actions. */
export async function makeActions(shop: ShopWarehouse): Promise<void> {
  await shop.query("create table actions (id int, what text, customer text, at timestamptz)");
  await shop.query("grant select on actions to reader");
}

/** Adds actions to a day. */
export async function act(shop: ShopWarehouse, date: string, what: string, count = 1): Promise<void> {
  await shop.query(
    "insert into actions select n, $1, 'customer ' || n, ($2 || 'T12:00:00Z')::timestamptz from generate_series(1, $3::int) as n",
    [what, date, count],
  );
}

export const ADDRESS = { type: "postgres", dataset: "Events" } as const;

/** A source of the shop's actions. */
export async function makeSource({ client }: TestServer, source_name: string, rest: object = {}): Promise<void> {
  const column_mapping = { event_name: "what", timestamp: "at", unit_id: "customer", metadata: { id: "id" } };
  await client.createIngestionSource({ body: { ...ADDRESS, source_name, query: "select * from actions", column_mapping, ...rest } });
}

/** Starts a backfill. @returns its id */
export async function backfill(
  { client }: TestServer,
  datestamp_start: string,
  datestamp_end: string,
  source: string | string[] | null = null,
) {
  const { data } = await client.startIngestionBackfill({ body: { ...ADDRESS, datestamp_start, datestamp_end, source } });
  return data.runID;
}

/** The status of a run, and those of each day of each source. */
export async function readStatuses({ client }: TestServer, id: string) {
  const { latestStatus, granularHistory } = (await client.getIngestionRun({ path: { id } })).data;
  const days = granularHistory.flatMap(({ source, statusByDate }) =>
    statusByDate.map(({ dateStamp, statuses }) => [source, dateStamp, statuses.at(-1)?.status]),
  );
  return { latestStatus, days };
}
