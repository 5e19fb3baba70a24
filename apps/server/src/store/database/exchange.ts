import pg from "pg";
import type { QueryResult } from "./db.ts";
import { type Field, getStatements, type Prepared, type PreparedStatements } from "./prepared-statements.ts";

/** A statement to send, with `$1`, `$2` … for its values. */
export type SentStatement = { text: string; values: unknown[] };

/** The methods of pg's connection that an exchange uses, which its types lack. */
type Connection = {
  stream: { cork(): void; uncork(): void };
  parse(message: { name: string; text: string }): void;
  bind(message: { statement: string; values: unknown[]; valueMapper: (value: unknown) => string | Buffer | null }): void;
  describe(message: { type: "P" }): void;
  execute(message: object): void;
  close(message: { type: "S"; name: string }): void;
  sync(): void;
};

/**
 * Sends statements together and returns their results: one round trip for any number of statements (the protocol's pipelining). The
 * database executes none after a failed one; outside a transaction all are rolled back then.
 * @param isPrepared whether to prepare each text once per connection, which transaction poolers forbid
 * @throws ExchangeFailure
 */
export function exchange(client: pg.ClientBase, statements: SentStatement[], isPrepared: boolean): Promise<QueryResult[]> {
  return new Promise((resolve, reject) => {
    client.query(new Exchange(statements, isPrepared ? getStatements(client) : undefined, resolve, reject));
  });
}

/** A statement of an exchange failed, or the connection did. */
export class ExchangeFailure extends Error {
  /** The results before the failure. Their number is the index of the failed statement. */
  readonly answers: QueryResult[];

  constructor(cause: unknown, answers: QueryResult[]) {
    super("A statement failed.", { cause });
    this.answers = answers;
  }
}

/** `pg` calls these methods for the messages of the protocol. */
class Exchange implements pg.Submittable {
  readonly #statements: SentStatement[];
  readonly #prepared: PreparedStatements | undefined;
  readonly #resolve: (answers: QueryResult[]) => void;
  readonly #reject: (failure: ExchangeFailure) => void;
  readonly #answers: QueryResult[] = [];
  /** The prepared statements; undefined if preparing is not allowed. */
  #known: (Prepared | undefined)[] = [];
  #fields: Field[] | undefined;
  #rows: unknown[] = [];

  constructor(
    statements: SentStatement[],
    prepared: PreparedStatements | undefined,
    resolve: (answers: QueryResult[]) => void,
    reject: (failure: ExchangeFailure) => void,
  ) {
    this.#statements = statements;
    this.#prepared = prepared;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(pgConnection: pg.Connection): void {
    const connection = pgConnection as unknown as Connection;
    connection.stream.cork();
    for (const name of this.#prepared?.takeUnused() ?? []) connection.close({ type: "S", name });
    this.#known = this.#statements.map(({ text, values }) => {
      const known = this.#prepared?.find(text);
      const prepared = known ?? this.#prepared?.add(text);
      const name = prepared?.name ?? "";
      if (!known) connection.parse({ name, text });
      connection.bind({ statement: name, values, valueMapper: toParameter });
      if (!prepared?.fields) connection.describe({ type: "P" });
      connection.execute({});
      return prepared;
    });
    connection.sync();
    connection.stream.uncork();
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: getParser(dataTypeID) }));
  }

  handleDataRow({ fields: texts }: { fields: (string | null)[] }): void {
    this.#fields ??= this.#known[this.#answers.length]?.fields ?? [];
    const row: Record<string, unknown> = {};
    for (let index = 0; index < this.#fields.length; index++) {
      const { name, parse } = this.#fields[index] as Field;
      const text = texts[index] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  /** @param message `INSERT 0 1`, `SELECT 3`, `BEGIN` */
  handleCommandComplete({ text: tag }: { text: string }): void {
    const prepared = this.#known[this.#answers.length];
    if (prepared) prepared.fields ??= this.#fields ?? [];
    this.#answers.push({ rows: this.#rows, count: Number(/\d+$/.exec(tag)?.[0] ?? 0) });
    this.#fields = undefined;
    this.#rows = [];
  }

  handleError(error: unknown): void {
    // It is unknown whether they were prepared, and a plan may be outdated, so prepare them again.
    for (const { text } of this.#statements.slice(this.#answers.length)) this.#prepared?.forget(text);
    this.#reject(new ExchangeFailure(error, this.#answers));
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers);
  }
}

const INT8 = 20;

function getParser(type: number): (text: string) => unknown {
  return type === INT8 ? BigInt : pg.types.getTypeParser(type);
}

/** A value in Postgres's text format. */
function toParameter(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  return Array.isArray(value) ? toArray(value) : String(value);
}

/** `{"a","b"}` */
function toArray(values: unknown[]): string {
  const items = values.map((value) => {
    const text = toParameter(value);
    return text === null ? "null" : `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
  });
  return `{${items.join()}}`;
}
