import { type ClickHouseClient, ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { startEngine } from "../../../../engines/clickhouse/start.mjs";

/** A client that logs nothing: failures reach whoever calls it. */
export const clientOf = (url: string, rest: { username?: string; database?: string } = {}): ClickHouseClient =>
  createClient({ url, ...rest, request_timeout: 120_000, log: { level: ClickHouseLogLevel.OFF } });

/** The rows of a statement. */
export async function rowsOf<Row = Record<string, unknown>>(client: ClickHouseClient, query: string): Promise<Row[]> {
  const result = await client.query({ query, format: "JSONEachRow" });
  return result.json<Row>();
}

/** Today's engine with a client. `close` ends both. */
export async function startClickHouse() {
  const engine = await startEngine();
  const client = clientOf(engine.url);
  return {
    engine,
    client,
    async close() {
      await client.close();
      await engine.remove();
    },
  };
}
