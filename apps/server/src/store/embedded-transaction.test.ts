import { PGlite } from "@electric-sql/pglite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Prisma } from "../generated/prisma/client.ts";
import type { Db } from "./db.ts";
import { embeddedTransaction, runEmbedded } from "./embedded-transaction.ts";

let pglite: PGlite;
beforeAll(async () => {
  pglite = await PGlite.create();
  await pglite.exec("create table kept (text text)");
});
afterAll(() => pglite.close());

const kept = async () => (await runEmbedded(pglite, Prisma.sql`select text from kept`)).rows;

test("a transaction is rolled back at its timeout, writes nothing afterwards, and does not block others", async () => {
  const options = { dryRun: false, onCommit: () => {} };
  let goOn = () => {};
  let late: Promise<unknown> = Promise.resolve();
  const stuck = embeddedTransaction(
    pglite,
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
  await embeddedTransaction(pglite, (db) => db.$executeRaw`insert into kept values ('next')`, options);
  goOn();
  await new Promise((resolve) => setImmediate(resolve));
  await expect(late).rejects.toThrow(/closed/);
  expect(await kept()).toEqual([{ text: "next" }]);
});
