import { isOfClickHouse, isTooLarge, openClickHouse } from "../clickhouse/clickhouse.ts";
import { clickhouse } from "../results/sql/clickhouse-dialect.ts";
import { TABLE_NAMES } from "../results/sql/clickhouse-tables.ts";
import { withFormulas } from "../results/sql/source-query.ts";
import { written } from "../results/sql/statement.ts";
import { isConnectionLoss, isRefusal, isTimeout } from "../store/database/database-errors.ts";
import {
  type Address,
  type ClickHouse,
  type Column,
  MOST_ANSWER_BYTES,
  type Warehouse,
  type WarehouseOptions,
} from "../store/database/engines.ts";
import { findForeignRead } from "./foreign-reads.ts";
import { createSameAddressAgents } from "./same-address.ts";
import { refusedStatement, tooLarge, WarehouseFailure } from "./warehouse.ts";

/**
 * Each statement is sent with `readonly = 1`, which writes nothing, and cannot be lifted by the statement.
 * @param eventsDatabase the database of Gatehouse's own ClickHouse. Users of a warehouse may not see its events of all projects
 */
export function openClickHouseWarehouse(
  { host, port, database, username, password, encryption }: Address,
  eventsDatabase: string | undefined,
): Warehouse {
  const url = new URL(`clickhouse://${host}:${port}/${encodeURIComponent(database)}?secure=${encryption === "verified"}`);
  Object.assign(url, { username: encodeURIComponent(username), password: encodeURIComponent(password) });

  const createAgent = createSameAddressAgents(encryption === "verified");
  let isChecked = eventsDatabase === undefined;

  async function reading<Row>(text: string, options: WarehouseOptions): Promise<Row[]> {
    const { maxBytes = MOST_ANSWER_BYTES } = options;
    const client = openClickHouse(url.href, { isReadOnly: true, agent: createAgent() });
    try {
      if (!isChecked) await requireNoEvents(client, options);
      isChecked = true;
      return await client.ask<Row>(text, [], { ...options, maxBytes });
    } catch (error) {
      if (options.signal.aborted || error instanceof WarehouseFailure) throw error;
      if (isTooLarge(error)) throw tooLarge(maxBytes, error);
      throw toFailure(error, options.timeoutMs);
    } finally {
      await client.close();
    }
  }

  /** ClickHouse lists only tables on which a user has rights. */
  async function requireNoEvents(client: ClickHouse, options: WarehouseOptions): Promise<void> {
    const [own] = await client.ask<{ name: string }>(
      "select name from system.tables where database = {p1:String} and name in {p2:Array(String)} order by name limit 1",
      [eventsDatabase, TABLE_NAMES],
      options,
    );
    if (own === undefined) return;
    throw new WarehouseFailure(
      "refused",
      `The user ${username} has rights on ${eventsDatabase}.${own.name}, where Gatehouse keeps the events of all projects. Use one without rights on that database.`,
    );
  }

  async function requireLocal(select: string, options: WarehouseOptions): Promise<void> {
    const rows = await reading<{ explain: string }>(`explain ast\n${select}`, options);
    const name = findForeignRead(rows.map(({ explain }) => explain));
    if (name === undefined) return;
    throw new WarehouseFailure("refused-statement", `It may not call ${name}, which reads files or other servers.`);
  }

  return {
    dialect: clickhouse,
    async readColumns({ query, formulas = [] }, options) {
      // The statement ends with its parentheses, so that each text that it accepts is whole.
      const describe = async (select: string) => {
        await requireLocal(select, options);
        return reading<Column>(`describe table (\n${select}\n)`, options);
      };
      let rows = await describe(query);
      for (const { formula } of formulas) await describe(`select\n${formula}\nfrom (\n${query}\n) as source`);
      if (formulas.length > 0) rows = await describe(withFormulas(query, formulas, clickhouse));
      required(rows[0]);
      return rows.map(({ name, type }) => ({ name, type }));
    },
    // Units are too many for the parameters of a URL.
    ask: (statement, options) => reading(written(statement, { ...clickhouse, settings: {} }), options),
    async check(options) {
      const [row] = await reading<{ version: string }>("select version() as version", options);
      return `ClickHouse ${required(row).version}`;
    },
  };
}

const foreign = (cause?: unknown) => new WarehouseFailure("unreachable", "It does not answer as ClickHouse does.", cause);

/** The first row of an answer that has one at least. @throws WarehouseFailure */
function required<Row>(row: Row | undefined): Row {
  if (row === undefined) throw foreign();
  return row;
}

function toFailure(error: unknown, timeoutMs: number): WarehouseFailure {
  const { message } = error as Error;
  if (isTimeout(error)) return new WarehouseFailure("late", `It took longer than ${timeoutMs / 1_000} s.`, error);
  if (isRefusal(error)) return new WarehouseFailure("refused", `It refuses the connection: ${message}.`, error);
  if (isConnectionLoss(error)) return new WarehouseFailure("unreachable", `It cannot be reached: ${message}.`, error);
  // The body of an answer that isn't ClickHouse's may be a secret of a service that the caller can't reach.
  if (!isOfClickHouse(error)) return foreign(error);
  return refusedStatement(message, error);
}
