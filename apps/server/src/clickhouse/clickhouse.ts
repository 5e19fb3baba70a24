import type { Agent } from "node:http";
import { addAbortSignal } from "node:stream";
import { finished } from "node:stream/promises";
import {
  type ClickHouseClient,
  ClickHouseError,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
  type ResultSet,
} from "@clickhouse/client";
import { deadline, untilAborted } from "../common/signals.ts";
import { clickhouseCluster } from "../results/sql/clickhouse-cluster.ts";
import { clickhouse as clickhouseServer } from "../results/sql/clickhouse-dialect.ts";
import { withValues } from "../results/sql/statement.ts";
import type { ClickHouse, Limits } from "../store/database/engines.ts";

/** A statement of a store reads little. */
const READ: Limits = { timeoutMs: 10_000 };
/** The most time of a write. Its rows are sent again later. */
const WRITE_TIMEOUT_MS = 30_000;
/** A statement is cancelled by closing its connection if ClickHouse does not end it at its limit. */
const GRACE_MS = 2_000;

/** Settings of a cluster. */
const CLUSTER_SETTINGS: ClickHouseSettings = {
  // An acknowledged insertion is stored by its shards, and an answer has what every shard has.
  distributed_foreground_insert: 1,
  skip_unavailable_shards: 0,
  // The first replica of a shard reads and writes while it is up, for requests to any server. So written rows are read.
  load_balancing: "in_order",
  prefer_localhost_replica: 0,
  // Less than WRITE_TIMEOUT_MS. Tasks for a server that is away wait in the queue.
  distributed_ddl_task_timeout: "25",
};

/** A statement with a longer parameter is sent with its values in place: a URL has no room for it. */
const MAX_PARAMETER_LENGTH = 4_096;
/** The longest statement, which has the units that are compared. */
const MAX_QUERY_BYTES = 512 * 2 ** 20;

/** ClickHouse's error codes, and the SQLSTATE with the same meaning. */
const STATES: Readonly<Record<string, string>> = {
  /** The time limit is over, or the statement was cancelled. */
  "159": "57014",
  "394": "57014",
  /** Too many statements; too little memory; too little space; too many parts, which merges make fewer. */
  "202": "53300",
  "241": "53200",
  "243": "53100",
  "252": "53400",
  /** Read-only, as a replica without its keeper is. */
  "242": "25006",
  /** Unknown user, wrong password, not allowed. */
  "192": "28000",
  "193": "28000",
  "194": "28000",
  "497": "28000",
  "516": "28000",
  /** A server of the cluster is away. */
  "209": "08006",
  "210": "08006",
  "279": "08006",
  /** No such database. */
  "81": "3D000",
};

/** ClickHouse's error code of too large an answer, which Postgres has no state for. */
const TOO_LARGE = "396";

/** An error of ClickHouse, with Postgres's code. */
class EngineError extends Error {
  readonly code: string;

  constructor(message: string, code: string, cause: unknown) {
    // ClickHouse continues with the place in the statement.
    super(message.split(/: while /i)[0], { cause });
    this.code = code;
  }
}

/**
 * @param url `clickhouse://USER:PASSWORD@HOST:PORT/DATABASE`, with `?secure=true` for TLS and `cluster=NAME` if it is a server of a cluster. Its
 * interface is that of HTTP.
 */
export function openClickHouse(url: string, { isReadOnly = false, agent }: { isReadOnly?: boolean; agent?: Agent } = {}): ClickHouse {
  const connection = parseConnection(url);
  const cluster = new URL(url).searchParams.get("cluster") ?? undefined;
  const { database } = connection;
  const dialect = cluster === undefined ? clickhouseServer : clickhouseCluster({ cluster, database, isDividedByUser: false });
  const client = createClient({
    ...connection,
    ...(cluster !== undefined && { clickhouse_settings: CLUSTER_SETTINGS }),
    ...(agent && { http_agent: agent }),
    application: "gatehouse",
    request_timeout: 24 * 60 * 60 * 1_000,
    keep_alive: { enabled: true },
    log: { level: ClickHouseLogLevel.OFF },
  });
  return {
    ...{ dialect, cluster, database },
    ask: (text, parameters, limits = READ) =>
      limited(limits, async (abort_signal) => {
        const isLong = parameters.some((value) => typeof value === "string" && value.length > MAX_PARAMETER_LENGTH);
        const result = await client.query({
          query: isLong ? withValues(text, parameters, dialect) : text,
          ...(!isLong && { query_params: Object.fromEntries(parameters.map((value, index) => [`p${index + 1}`, value])) }),
          format: "JSONEachRow",
          abort_signal,
          clickhouse_settings: {
            ...dialect.settings,
            // Not 2, which lets a statement insert into a file. Callers' statements have no parameters, but texts of any length.
            ...(isReadOnly && { readonly: "1" }),
            ...((isReadOnly || isLong) && { max_query_size: String(MAX_QUERY_BYTES) }),
            max_execution_time: Math.ceil(limits.timeoutMs / 1_000),
            ...(limits.maxBytes !== undefined && { max_result_bytes: String(limits.maxBytes), result_overflow_mode: "throw" }),
            cancel_http_readonly_queries_on_client_close: 1,
            output_format_json_quote_64bit_integers: 0,
          },
        });
        // The client forgets its signal once the answer begins.
        abort_signal.addEventListener("abort", () => result.close(), { once: true });
        return readRows(result, limits.maxBytes);
      }),
    command: (query) => write(client, query, {}),
    insert: (table, rows, token) =>
      write(client, `insert into ${table} format JSONEachRow\n${rows}`, { insert_deduplication_token: token, async_insert: 0 }),
    close: () => client.close(),
  };
}

/** The rows of an answer, read up to its maximum size. A server need not heed its settings. */
async function readRows<Row>(result: ResultSet<"JSONEachRow">, maxBytes = Number.POSITIVE_INFINITY): Promise<Row[]> {
  const rows: Row[] = [];
  let received = 0;
  for await (const part of result.stream<Row>())
    for (const row of part) {
      received += row.text.length;
      if (received > maxBytes) throw new EngineError(`the answer has more than ${maxBytes} bytes`, TOO_LARGE, undefined);
      rows.push(row.json());
    }
  return rows;
}

/** Whether an error is one that ClickHouse answered. */
export const isOfClickHouse = (error: unknown): boolean =>
  // The client does not recognize errors of old versions.
  error instanceof EngineError || (error instanceof Error && /^Code: \d+[.,] /.test(error.message));

/** Whether an answer had more bytes than it may have. */
export const isTooLarge = (error: unknown): boolean => error instanceof EngineError && error.code === TOO_LARGE;

function parseConnection(text: string) {
  const { hostname, port, pathname, username, password, searchParams } = new URL(text);
  const isSecure = searchParams.get("secure") === "true";
  return {
    url: `${isSecure ? "https" : "http"}://${hostname}:${port || (isSecure ? 8443 : 8123)}`,
    username: decodeURIComponent(username) || "default",
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || "default",
  };
}

function write(client: ClickHouseClient, query: string, settings: Record<string, string | number>): Promise<void> {
  return limited({ timeoutMs: WRITE_TIMEOUT_MS }, async (abort_signal) => {
    const { stream } = await client.exec({ query, abort_signal, clickhouse_settings: settings });
    await finished(addAbortSignal(abort_signal, stream).resume());
  });
}

/** Runs a statement that ends at its limit, or with the signal. */
async function limited<T>({ timeoutMs, signal }: Limits, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  signal?.throwIfAborted();
  const limit = deadline(timeoutMs + GRACE_MS, signal);
  try {
    return await untilAborted(limit.signal, run(limit.signal));
  } catch (error) {
    if (error instanceof ClickHouseError) throw new EngineError(error.message, STATES[error.code] ?? error.code, error);
    if (limit.isLate()) throw new EngineError(`no answer within ${timeoutMs} ms`, "57014", error);
    throw error;
  } finally {
    limit.release();
  }
}
