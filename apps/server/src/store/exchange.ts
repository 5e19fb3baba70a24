import pg from "pg";
import type { Answer } from "./db.ts";
import { type Field, type Prepared, type PreparedStatements, preparedOf } from "./prepared-statements.ts";

/** A statement as it is sent: with `$1`, `$2` … for its values. */
export type SentStatement = { text: string; values: unknown[] };

/** The parts of pg's connection that an exchange uses; its types do not name them. */
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
 * Sends statements in one go and returns their answers, which come in one go too: one round trip, however many statements. The first that fails
 * is the last that the database carries out; outside a transaction none is kept then.
 * @param isPrepared whether each text is parsed and planned once a connection, which a transaction pooler does not allow
 * @throws ExchangeFailure
 */
export function exchange(client: pg.ClientBase, statements: SentStatement[], isPrepared: boolean): Promise<Answer[]> {
  return new Promise((resolve, reject) => {
    client.query(new Exchange(statements, isPrepared ? preparedOf(client) : undefined, resolve, reject));
  });
}

/** A statement of an exchange failed, or the connection did. */
export class ExchangeFailure extends Error {
  /** The answers before the failure: the statement at that place is the one that failed. */
  readonly answers: Answer[];

  constructor(cause: unknown, answers: Answer[]) {
    super("A statement failed.", { cause });
    this.answers = answers;
  }
}

/** What `pg` calls as the messages of the protocol come in. */
class Exchange implements pg.Submittable {
  readonly #statements: SentStatement[];
  readonly #prepared: PreparedStatements | undefined;
  readonly #resolve: (answers: Answer[]) => void;
  readonly #reject: (failure: ExchangeFailure) => void;
  readonly #answers: Answer[] = [];
  /** What is prepared of each statement; undefined where nothing may be. */
  #known: (Prepared | undefined)[] = [];
  #fields: Field[] | undefined;
  #rows: unknown[] = [];

  constructor(
    statements: SentStatement[],
    prepared: PreparedStatements | undefined,
    resolve: (answers: Answer[]) => void,
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
    this.#fields = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
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
    // Whether they came to be prepared is not known, and a plan may be out of date: they are prepared anew.
    for (const { text } of this.#statements.slice(this.#answers.length)) this.#prepared?.forget(text);
    this.#reject(new ExchangeFailure(error, this.#answers));
  }

  handleReadyForQuery(): void {
    this.#resolve(this.#answers);
  }
}

const INT8 = 20;

function parserOf(type: number): (text: string) => unknown {
  return type === INT8 ? BigInt : pg.types.getTypeParser(type);
}

/** A value as Postgres reads it. */
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
