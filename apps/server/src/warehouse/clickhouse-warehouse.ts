import { openClickHouse } from "../clickhouse/clickhouse.ts";
import { clickhouse } from "../results/sql/clickhouse-dialect.ts";
import { written } from "../results/sql/statement.ts";
import { isConnectionLoss, isRefusal, isTimeout } from "../store/database/database-errors.ts";
import type { Address, AnalysisOptions, Column, Warehouse } from "../store/database/engines.ts";
import { WarehouseFailure } from "./warehouse.ts";

/** Each statement is sent with `readonly = 1`, which neither writes nor reads anything outside, and cannot be lifted by the statement. */
export function openClickHouseWarehouse({ host, port, database, username, password, encryption }: Address): Warehouse {
  const url = new URL(`clickhouse://${host}:${port}/${encodeURIComponent(database)}?secure=${encryption === "verified"}`);
  Object.assign(url, { username: encodeURIComponent(username), password: encodeURIComponent(password) });

  async function reading<Row>(text: string, options: AnalysisOptions): Promise<Row[]> {
    const client = openClickHouse(url.href, { isReadOnly: true });
    try {
      return await client.ask<Row>(text, [], options);
    } catch (error) {
      if (options.signal.aborted) throw error;
      throw toFailure(error, options.timeoutMs);
    } finally {
      await client.close();
    }
  }

  return {
    dialect: clickhouse,
    async readColumns(query, options) {
      const rows = await reading<Column>(`describe table (\n${query}\n)`, options);
      return rows.map(({ name, type }) => ({ name, type }));
    },
    // Units are too many for the parameters of a URL.
    ask: (statement, options) => reading(written(statement, { ...clickhouse, settings: {} }), options),
    async check(options) {
      const rows = await reading<{ version: string }>("select version() as version", options);
      return `ClickHouse ${rows[0]?.version ?? ""}`.trim();
    },
  };
}

function toFailure(error: unknown, timeoutMs: number): WarehouseFailure {
  const { message } = error as Error;
  if (isTimeout(error)) return new WarehouseFailure("late", `It took longer than ${timeoutMs / 1_000} s.`, error);
  if (isRefusal(error)) return new WarehouseFailure("refused", `It refuses the connection: ${message}.`, error);
  if (isConnectionLoss(error)) return new WarehouseFailure("unreachable", `It cannot be reached: ${message}.`, error);
  return new WarehouseFailure("refused-statement", `It refused the statement: ${message}.`, error);
}
