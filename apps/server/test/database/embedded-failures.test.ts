import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { mountSmallVolume } from "../../../../scripts/small-volume.mjs";
import { type EmbeddedConnection, openEmbeddedConnection } from "../../src/store/database/embedded-connection.ts";
import { onPostgres } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { temporaryFolder } from "../support/process.ts";
import { waitFor } from "../support/wait-for.ts";

const MEBIBYTE = 2 ** 20;
const READ_ONLY = "The disk of the data folder has less than 32 MiB of free space. Writes are refused until it has more.";
const WRITABLE = "The disk of the data folder has enough free space again. Writes are accepted.";

const volume = onPostgres ? undefined : mountSmallVolume(192);
afterAll(() => volume?.remove());

describe("the embedded database on a disk that fills up", needs.embedded, () => {
  let connection: EmbeddedConnection;
  let reports: string[];
  beforeAll(async () => {
    if (volume === undefined) return;
    connection = await openEmbeddedConnection({ folder: join(volume.path, "data"), report: (message) => reports.push(message) });
    reports = [];
    await connection.exec("create table kept (id int)");
  });
  afterEach(() => volume?.empty());
  afterAll(() => connection?.close());

  const insert = (id: number) => connection.query("insert into kept values ($1)", [id]);
  /** Writes to the write-ahead log only. If that fails, Postgres cannot go on. */
  const fillLog = (mebibytes: number) =>
    connection.query("select pg_logical_emit_message(false, '', repeat('x', 1048576)) from generate_series(1, $1)", [mebibytes]);
  const ids = async () => (await connection.query<{ id: number }>("select distinct id from kept order by id")).rows.map(({ id }) => id);
  const failure = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

  test("refuses writes before the disk is full, reads on, and accepts writes again", needs.mount(volume !== undefined), async () => {
    await insert(1);
    volume?.fill();
    const full = { code: "53100", message: "The disk of the data folder has too little free space for writes." };
    expect(await failure(insert(2))).toMatchObject(full);
    expect(await failure(connection.transaction((transaction) => transaction.query("delete from kept")))).toMatchObject(full);
    expect(await ids()).toEqual([1]);
    volume?.empty();
    await insert(3);
    expect(await ids()).toEqual([1, 3]);
    expect(reports.splice(0)).toEqual([READ_ONLY, WRITABLE]);
  });

  test("opens again with everything committed after a statement used up the disk", needs.mount(volume !== undefined), async () => {
    let reopened = 0;
    connection.onReopened?.(() => reopened++);
    const before = await ids();
    volume?.fill(40);
    expect(await failure(fillLog(100))).toMatchObject({ code: "53100" });
    volume?.empty();
    await waitFor(async () => expect(await ids()).toEqual(before));
    expect(reopened).toBe(1);
    await waitFor(() => insert(4));
    expect(await ids()).toEqual([...before, 4]);
    expect(reports[0]).toMatch(/^The embedded database was ended and will be opened again: could not .*: No space left on device\.$/);
  });
});

describe("the embedded database", needs.embedded, () => {
  const folder = temporaryFolder();
  let connection: EmbeddedConnection;
  beforeAll(async () => {
    connection = await openEmbeddedConnection({ folder: join(folder.path, "data"), limitMs: 2_000 });
    await connection.exec("create table kept (id int)");
  });
  afterAll(async () => {
    await connection.close();
    folder.remove();
  });

  test("ends a statement at its limit, opens again, and sends notifications as before", async () => {
    const messages: string[] = [];
    await connection.listen("news", (message) => messages.push(message));
    await connection.query("insert into kept values (1)");
    const endless = connection.transaction(async (transaction) => {
      await transaction.query("insert into kept values (2)");
      await transaction.query("select count(*) from generate_series(1, 1e9)");
    });
    await expect(endless).rejects.toMatchObject({ code: "57014" });
    expect((await connection.query("select id from kept")).rows).toEqual([{ id: 1 }]);
    await connection.query("insert into kept values (3)");
    await connection.query("select pg_notify('news', 'again')");
    expect(messages).toEqual(["again"]);
  });

  test("keeps its write-ahead log short", async () => {
    const own = await openEmbeddedConnection({ folder: join(folder.path, "log") });
    const logBytes = async () => (await own.query<{ sum: bigint }>("select sum(size)::int8 as sum from pg_ls_waldir()")).rows[0]?.sum ?? 0n;
    const write = () => own.query("select pg_logical_emit_message(false, '', repeat('x', 8388608))");
    for (let count = 0; count < 32; count++) await write();
    // Checkpoints are a second apart, and each frees the earlier writes.
    await waitFor(async () => {
      await write();
      expect(await logBytes()).toBeLessThan(128 * MEBIBYTE);
    });
    await own.close();
  });
});
