import pg from "pg";
import { ADMIN_COMMAND } from "../common/commands.ts";
import { deadline } from "../common/signals.ts";
import { postgres } from "../results/sql/dialect.ts";
import { withFormulas } from "../results/sql/source-query.ts";
import { AnswerTooLarge, type OpenClient, withClient } from "../store/database/client.ts";
import { isConnectionLoss, isRefusal, isTimeout } from "../store/database/database-errors.ts";
import {
  type Address,
  type Column,
  MOST_ANSWER_BYTES,
  type SourceSql,
  type Warehouse,
  type WarehouseOptions,
} from "../store/database/engines.ts";
import { sharedSchemaName } from "../store/database/shared-events.ts";
import { faultsOfLogin, listFaults } from "./shared-login.ts";
import { refusedStatement, tooLarge, WarehouseFailure } from "./warehouse.ts";

/** The identity of a database: that of its server, and its name. */
export type Identity = { system: string; name: string };

export const IDENTITY = "select (select system_identifier::text from pg_control_system()) as system, current_database() as name";

const CONNECT_TIMEOUT_MS = 10_000;
/** A connection is destroyed if Postgres does not end its statement at its limit. */
const GRACE_MS = 2_000;
/** The most time to end a statement of another connection. */
const CANCEL_TIMEOUT_MS = 2_000;
/** The settings of loads: statements join on equality only, and are compiled longer than they run. */
const SETTINGS = "set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true), set_config('timezone', 'UTC', true)";

/** The server's own database. It is a warehouse only for logins that can read the events of the project, and no other data. */
export type OwnDatabase = Identity & {
  /** The warehouse's project. */
  projectID: string;
  /** Whether its events are there instead of in ClickHouse. */
  hasEvents: boolean;
};

export function openPostgresWarehouse(address: Address, own: OwnDatabase): Warehouse {
  const { host, port, database, username: user, password, encryption } = address;
  const ssl = encryption === "off" ? false : { rejectUnauthorized: encryption === "verified" };

  const config: pg.ClientConfig = { host, port, database, user, password, ssl, connectionTimeoutMillis: CONNECT_TIMEOUT_MS };

  /** Ends an abandoned statement of another connection, which Postgres would continue. */
  async function cancel(pid: number): Promise<void> {
    const limit = deadline(CANCEL_TIMEOUT_MS);
    try {
      await withClient(config, limit.signal, (client) => client.query("select pg_cancel_backend($1)", [pid]));
    } finally {
      limit.release();
    }
  }

  /** Runs work in a read-only transaction, whose connection is closed afterwards. */
  async function reading<T>(options: WarehouseOptions, work: (client: OpenClient) => Promise<T>): Promise<T> {
    const { timeoutMs, signal, maxBytes = MOST_ANSWER_BYTES } = options;
    signal.throwIfAborted();
    const limit = deadline(timeoutMs + GRACE_MS, signal);
    const session: { pid?: number } = {};
    const abort = () => {
      // If it fails, the statement ends at its limit.
      if (session.pid !== undefined) cancel(session.pid).catch(() => {});
    };
    limit.signal.addEventListener("abort", abort, { once: true });
    try {
      return await withClient({ ...config, maxBytes }, limit.signal, async (client) => {
        session.pid = await begin(client, timeoutMs);
        return work(client);
      });
    } catch (error) {
      if (signal.aborted) throw error;
      throw toFailure(error, timeoutMs, limit.isLate());
    } finally {
      limit.signal.removeEventListener("abort", abort);
      limit.release();
    }
  }

  /** Begins a transaction that can only read. @returns the process that runs its statements */
  async function begin(client: OpenClient, timeoutMs: number): Promise<number> {
    // The names of the checks are those of Postgres, regardless of the login's settings.
    await client.query("begin read only; set local search_path to pg_catalog");
    const { rows } = await client.query<Identity & { pid: number; isSuper: boolean }>(
      `select pg_backend_pid() as pid, set_config('statement_timeout', $1, true), ${SETTINGS}, identity.*,
        exists (select from pg_roles where rolname in (current_user, session_user) and rolsuper) as "isSuper"
      from (${IDENTITY}) as identity`,
      [String(timeoutMs)],
    );
    const [session] = rows as [(typeof rows)[number]];
    if (session.isSuper)
      throw new WarehouseFailure("refused", `The user ${user} is a superuser. Use one that can do nothing but read its tables.`);
    const isOwn = session.system === own.system && session.name === own.name;
    if (isOwn) await requireSharedLogin(client, user, own);
    await client.query(`set local search_path to ${isOwn ? pg.escapeIdentifier(sharedSchemaName(own.projectID)) : "default"}`);
    return session.pid;
  }

  return {
    dialect: postgres,
    readColumns: ({ query, formulas = [] }, options) =>
      reading(options, async (client) => {
        await requireWhole(client, { query, formulas });
        const { fields } = await client.query(extended(`select * from (\n${withFormulas(query, formulas, postgres)}\n) as source limit 0`));
        const types = fields.map(({ dataTypeID }) => dataTypeID);
        const { rows } = await client.query<{ type: string }>(
          "select format_type(id, null) as type from unnest($1::oid[]) with ordinality as given (id, place) order by place",
          [types],
        );
        return fields.map(({ name }, index): Column => ({ name, type: rows[index]?.type ?? "unknown" }));
      }),
    ask: (statement, options) =>
      reading(options, async (client) => {
        const values = statement.parameters.map(({ value }) => value);
        return (await client.query({ ...extended(statement.text), values })).rows;
      }),
    check: (options) =>
      reading(options, async (client) => {
        const { rows } = await client.query<{ version: string }>("select split_part(version(), ' on ', 1) as version");
        return rows[0]?.version ?? "Postgres";
      }),
  };
}

/** @throws WarehouseFailure if the login can do anything but read the events of the project */
async function requireSharedLogin(client: OpenClient, user: string, { projectID, hasEvents }: OwnDatabase): Promise<void> {
  if (!hasEvents) throw new WarehouseFailure("refused", "It is Gatehouse's own database, whose events are in ClickHouse.");
  const { rows } = await client.query<{ fault: string }>(faultsOfLogin("session_user", projectID));
  if (rows.length === 0) return;
  throw new WarehouseFailure(
    "refused",
    `It is Gatehouse's own database, where a warehouse must be a login that reads the events of this project and nothing else. ${user} ${listFaults(rows.map(({ fault }) => fault))}. The operator of the server shares the events: ${ADMIN_COMMAND} events share --project ${projectID} --login ${user}`,
  );
}

/** Has Postgres parse each text where it is in no parentheses, which it could end. @throws the error of Postgres if one isn't whole */
async function requireWhole(client: OpenClient, { query, formulas = [] }: SourceSql): Promise<void> {
  const selects = formulas.map(({ formula }) => `select\n${formula}\nfrom (\n${query}\n) as source`);
  for (const select of [query, ...selects]) {
    await client.query(extended(`prepare gatehouse_source as\n${select}`));
    await client.query("deallocate gatehouse_source");
  }
}

/** A message of the extended protocol holds one statement, for any SQL of a caller. */
const extended = (text: string) => ({ text, queryMode: "extended" }) as pg.QueryConfig;

function toFailure(error: unknown, timeoutMs: number, isLate: boolean): WarehouseFailure {
  if (error instanceof WarehouseFailure) return error;
  if (error instanceof AnswerTooLarge) return tooLarge(error.maxBytes, error);
  const message = error instanceof AggregateError ? String(error.errors[0]?.message) : (error as Error).message;
  if (isLate || isTimeout(error)) return new WarehouseFailure("late", `It took longer than ${timeoutMs / 1_000} s.`, error);
  if (isRefusal(error)) return new WarehouseFailure("refused", `It refuses the connection: ${message}.`, error);
  if (isConnectionLoss(error)) return new WarehouseFailure("unreachable", `It cannot be reached: ${message}.`, error);
  return refusedStatement(message, error);
}
