import { afterAll, beforeAll, expect, test } from "vitest";
import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "./db.ts";
import { type EmbeddedConnection, openEmbeddedConnection } from "./embedded-connection.ts";
import { embeddedTransaction, runEmbedded } from "./embedded-transaction.ts";

let connection: EmbeddedConnection;
beforeAll(async () => {
  connection = await openEmbeddedConnection();
  await connection.exec("create table kept (text text)");
});
afterAll(() => connection.close());

const kept = async () => (await runEmbedded(connection, Prisma.sql`select text from kept`)).rows;

test("a transaction is rolled back at its timeout, writes nothing afterwards, and does not block others", async () => {
  const options = { dryRun: false, onCommit: () => {} };
  let goOn = () => {};
  let late: Promise<unknown> = Promise.resolve();
  const stuck = embeddedTransaction(
    connection,
    async (db: Db) => {
      await db.$executeRaw`insert into kept values ('early')`;
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      late = db.$executeRaw`insert into kept values ('late')`;
      await late;
    },
    { ...options, timeoutMs: 20 },
  );
  await expect(stuck).rejects.toMatchObject({ code: "unavailable", cause: { message: "The transaction took longer than 20 ms." } });
  await embeddedTransaction(connection, (db) => db.$executeRaw`insert into kept values ('next')`, options);
  goOn();
  await new Promise((resolve) => setImmediate(resolve));
  await expect(late).rejects.toThrow(/closed/);
  expect(await kept()).toEqual([{ text: "next" }]);
});
