import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { CLUSTER, startCluster } from "../../../../engines/clickhouse/cluster.mjs";
import { startEngine } from "../../../../engines/clickhouse/start.mjs";

import { openClickHouse } from "../../src/clickhouse/clickhouse.ts";
import { prepareClickHouse } from "../../src/clickhouse/with-clickhouse.ts";

/** A quiet client: its callers get the failures instead of the log. */
export const createQuietClient = (url: string, rest: { username?: string; database?: string } = {}): ClickHouseClient =>
  createClient({ url, ...rest, request_timeout: 120_000, log: { level: ClickHouseLogLevel.OFF } });

/** The rows of a statement. */
export async function readRows<Row = Record<string, unknown>>(client: ClickHouseClient, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: "JSONEachRow" });
  return result.json<Row>();
}

/** Today's engine with a client. `close` ends both. */
export async function startClickHouse() {
  const engine = await startEngine();
  const client = createQuietClient(engine.url);
  return {
    engine,
    client,
    async close() {
      await client.close();
      await engine.remove();
    },
  };
}

/** A cluster with the tables of events, as a server makes them. `close` ends it. */
export async function startTestCluster(options?: Parameters<typeof startCluster>[0]) {
  const cluster = await startCluster(options);
  const url = `${cluster.url.replace("http:", "clickhouse:")}?cluster=${CLUSTER}`;
  const clickhouse = await prepareClickHouse(openClickHouse(url));
  return {
    cluster,
    url,
    clickhouse,
    async close() {
      await clickhouse.close();
      await cluster.remove();
    },
  };
}
