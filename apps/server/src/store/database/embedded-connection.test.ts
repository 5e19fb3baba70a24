import { afterAll, beforeAll, expect, test } from "vitest";
import { isConnectionLoss, isUniqueViolation } from "./database-errors.ts";
import { type EmbeddedConnection, openEmbeddedConnection } from "./embedded-connection.ts";

let connection: EmbeddedConnection;
beforeAll(async () => {
  connection = await openEmbeddedConnection();
  await connection.exec("create table kept (text text constraint kept_once unique)");
});
afterAll(() => connection.close());

const kept = async () => (await connection.query<{ text: string }>("select text from kept order by text")).rows.map(({ text }) => text);

test("a long statement stops nothing else in the process", async () => {
  let isDone = false;
  let turns = 0;
  const turn = () => {
    turns++;
    if (!isDone) setImmediate(turn);
  };
  turn();
  const { rows } = await connection.query("select count(*) from generate_series(1, 2000000)");
  isDone = true;
  expect(rows).toEqual([{ count: 2_000_000n }]);
  expect(turns).toBeGreaterThan(100);
});

test("values arrive as they were sent", async () => {
  const values = ["🙂 'quoted'", null, 2n ** 60n, 0.1, true, new Uint8Array([0, 255]), ["a", "b,c"]];
  const sql =
    "select $1::text as text, $2::text as nothing, $3::int8 as large, $4::float8 as number, $5::bool as bool, $6::bytea as bytes, $7::text[] as list";
  const { rows } = await connection.query(sql, values);
  expect(rows).toEqual([
    { text: values[0], nothing: null, large: values[2], number: 0.1, bool: true, bytes: new Uint8Array([0, 255]), list: values[6] },
  ]);
});

test("the error of a statement has Postgres's fields", async () => {
  await connection.query("insert into kept values ('first')");
  const error = await connection.query("insert into kept values ('first')").catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ message: expect.stringContaining("duplicate key"), code: "23505", constraint: "kept_once", table: "kept" });
  expect(isUniqueViolation(error)).toBe(true);
  await connection.query("delete from kept");
});

test("a transaction whose work fails is rolled back, and other statements wait for its end", async () => {
  const failed = connection.transaction(async (transaction) => {
    await transaction.query("insert into kept values ('never')");
    throw new Error("The work failed.");
  });
  const seen = kept();
  await expect(failed).rejects.toThrow("The work failed.");
  expect(await seen).toEqual([]);
});

test("a transaction is closed once it is committed or rolled back", async () => {
  const used = await connection.transaction(async (transaction) => {
    await transaction.query("insert into kept values ('undone')");
    await transaction.rollback();
    await expect(transaction.query("insert into kept values ('late')")).rejects.toThrow("The transaction is closed.");
    return transaction;
  });
  await expect(used.rollback()).rejects.toThrow("The transaction is closed.");
  expect(await kept()).toEqual([]);
});

test("a notification arrives before its transaction has resolved, and none arrives after listening ends", async () => {
  const messages: string[] = [];
  const stop = await connection.listen("news", (message) => messages.push(message));
  await connection.transaction((transaction) => transaction.query("select pg_notify('news', 'one')"));
  expect(messages).toEqual(["one"]);
  await stop();
  await connection.query("select pg_notify('news', 'two')");
  expect(messages).toEqual(["one"]);
});

test("closing waits for what was begun, and refuses what comes later as a lost connection", async () => {
  const other = await openEmbeddedConnection();
  const begun = other.query("select 1 as one");
  const closing = other.close();
  expect(other.closed).toBe(true);
  const late = await other.query("select 2").catch((error: unknown) => error);
  expect((await begun).rows).toEqual([{ one: 1 }]);
  await closing;
  await other.close();
  expect(isConnectionLoss(late)).toBe(true);
});
