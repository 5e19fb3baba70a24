import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Prisma } from "../../src/generated/prisma/client.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import {
  isConnectionLoss,
  isRefusal,
  isSerializationFailure,
  isTemporaryFailure,
  isUniqueViolation,
  lacksPartition,
} from "../../src/store/database/database-errors.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { closedPort } from "../support/port.ts";

const fail = (state: string) => `do $$ begin raise exception 'made for a test' using errcode = '${state}'; end $$`;

/** Every code path that returns database errors, each with a call that fails. */
const WAYS = {
  "a statement for itself": ({ db }: TestDatabase, sql: string) => db.$executeRaw(Prisma.raw(sql)),
  "a statement in a transaction": ({ transaction }: TestDatabase, sql: string) =>
    transaction((db) => db.$executeRaw(Prisma.raw(sql)), { dryRun: false, onCommit: () => {} }),
  "a deferred statement": ({ transaction }: TestDatabase, sql: string) =>
    transaction(async (db) => db.$defer(Prisma.raw(sql)), { dryRun: false, onCommit: () => {} }),
  "a statement of a session": ({ withSession }: TestDatabase, sql: string) => withSession(({ query }) => query(sql)),
};

const CLASSES = { isConnectionLoss, isTemporaryFailure, isSerializationFailure, isRefusal, isUniqueViolation, lacksPartition };

/** The names of the classes that an error belongs to. */
function listClasses(error: unknown): string[] {
  return Object.entries(CLASSES)
    .filter(([, test]) => test(error))
    .map(([name]) => name);
}

const refusedBy = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => {
      throw new Error("The statement was expected to fail.");
    },
    (error: unknown) => error,
  );

describe.each(Object.entries(WAYS))("an error of %s", (_, way) => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  test.each([
    ["08006", "a connection failure", ["isConnectionLoss"]],
    ["28P01", "a wrong password", ["isConnectionLoss", "isRefusal"]],
    ["53300", "too many connections", ["isConnectionLoss"]],
    ["57P01", "a shutdown", ["isConnectionLoss"]],
    ["57P03", "a server that starts up", ["isConnectionLoss"]],
    ["53100", "a full disk", ["isTemporaryFailure"]],
    ["53200", "no memory", ["isTemporaryFailure"]],
    ["53400", "a limit of the configuration", ["isTemporaryFailure"]],
    ["57014", "a timeout", ["isTemporaryFailure"]],
    ["58030", "an input or output error", ["isTemporaryFailure"]],
    ["25006", "a read-only transaction", ["isTemporaryFailure"]],
    ["40001", "a serialization failure", ["isSerializationFailure"]],
    ["40P01", "a deadlock", ["isSerializationFailure"]],
    ["23505", "a unique violation", ["isUniqueViolation"]],
    ["23514", "a missing partition", ["lacksPartition"]],
    ["42P01", "an undefined table", []],
    ["22P02", "invalid text", []],
  ])("%s counts as %s", async (state, _, expected) => {
    const error = await refusedBy(way(database, fail(state)));
    expect(listClasses(error)).toEqual(expected);
  });
});

describe("a connection that cannot be established", () => {
  const addresses = ["//127.0.0.1:PORT/nothing", "//localhost:PORT/nothing", "//no-such-host.invalid/nothing", "///nothing?host=/nowhere"];

  test.each(addresses)("to postgres:%s is a connection loss in every code path", async (address) => {
    const database = openPostgres(`postgres:${address.replace("PORT", String(await closedPort()))}`);
    const attempts = [
      () => database.db.$queryRaw`select 1`,
      () => database.transaction((db) => db.$queryRaw`select 1`, { dryRun: false, onCommit: () => {} }),
      () => database.withSession(({ query }) => query("select 1")),
      () => database.ping(),
    ];
    for (const attempt of attempts) expect(listClasses(await refusedBy(attempt()))).toEqual(["isConnectionLoss"]);
    await database.close();
  });
});
