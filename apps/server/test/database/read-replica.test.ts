import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startStandby } from "../../../../scripts/postgres.mjs";
import { openDatabase } from "../../src/startup/open-database.ts";
import { openPostgres } from "../../src/store/database/database.ts";
import { readingOnStandby, withReadReplica } from "../../src/store/database/read-replica.ts";
import { asAdmin } from "../support/database.ts";
import { needs } from "../support/needs.ts";
import { consoleOperations, requiredAccess } from "../support/operations.ts";
import { type OwnPostgres, type OwnStandby, startOwnPostgres, startOwnStandby } from "../support/own-postgres.ts";
import { prepare } from "../support/prepare.ts";
import { readMetrics } from "../support/read-metrics.ts";
import type { TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

/** Reads that the standby may serve: of lists, and of events. */
const largeReads = consoleOperations.filter(
  ({ operationId, isWrite, analyses, asks }) => !isWrite && ((analyses === true && asks === undefined) || /^list[A-Z]/.test(operationId)),
);

describe("a read replica", needs.installedPostgres, () => {
  let own: OwnPostgres;
  let replica: OwnStandby;
  beforeAll(async () => {
    own = await startOwnPostgres();
    replica = await startOwnStandby(own);
  }, 120_000);
  afterAll(async () => {
    await replica.close();
    await own.close();
  });

  const outcomes = () => Object.fromEntries(replica.database.replica.outcomes());
  const listGates = async () => (await replica.reader.client.listGates()).data.map(({ id }) => id);
  const create = (name: string) => own.server.client.createGate({ body: { name } });

  const untilCurrent = () => waitFor(async () => expect(await replica.database.replica.isCurrent()).toBe(true));
  const withoutAddress = (text: string, { url }: TestServer) => text.replaceAll(url, "");

  test("serves every large read like the database", async () => {
    const before = outcomes();
    const compared: string[] = [];
    for (const operation of largeReads.filter((one) => requiredAccess(one) === undefined)) {
      const { url, body } = await prepare(own.server, operation);
      const { operationId, method } = operation;
      await untilCurrent();
      const [there, here] = [await replica.reader.send(method, url, { body }), await own.server.send(method, url, { body })];
      const read = { operationId, status: there.status, text: withoutAddress(there.text, replica.reader) };
      expect(read).toEqual({ operationId, status: 200, text: withoutAddress(here.text, own.server) });
      compared.push(operationId);
    }
    expect(compared).toContain("listGates");
    expect(outcomes()).toMatchObject({ failed: 0 });
    expect(outcomes().replica).toBeGreaterThanOrEqual((before.replica as number) + compared.length);
  });

  test("shows each write to the list after it, from the database while the replay is behind", async () => {
    for (let index = 0; index < 20; index++) {
      await create(`before ${index}`);
      expect(await listGates()).toContain(`before_${index}`);
    }
    await replica.admin("select pg_wal_replay_pause()");
    const { behind = 0 } = outcomes();
    await create("not replayed");
    expect(await listGates()).toContain("not_replayed");
    expect(outcomes().behind).toBe(behind + 1);
    await replica.admin("select pg_wal_replay_resume()");
    const { replica: served = 0 } = outcomes();
    await waitFor(async () => {
      expect(await listGates()).toContain("not_replayed");
      expect(outcomes().replica).toBeGreaterThan(served);
    });
  });

  test("that fails in the middle of a read leaves the whole read to the database", async () => {
    await untilCurrent();
    const places: string[] = [];
    const work = readingOnStandby(replica.database, async (db) => {
      const [{ isStandby }] = await db.$queryRaw<[{ isStandby: boolean }]>`select pg_is_in_recovery() as "isStandby"`;
      places.push(isStandby ? "standby" : "database");
      // As a standby cancels a read that holds up its replay.
      if (isStandby) await db.$queryRaw`do $$ begin raise 'conflict with recovery' using errcode = '40001'; end $$`;
      return db.$queryRaw`select 1 as one`;
    });
    expect(await work).toEqual([{ one: 1 }]);
    expect(places).toEqual(["standby", "database"]);
    replica.clock.uptime += 5_000;
    await waitFor(async () => {
      await listGates();
      expect(replica.reports.at(-1)).toBe("The read replica serves reads again.");
    });
  });

  test("that is away leaves reads to the database, and serves again 5 s after it is back", async () => {
    await replica.standby.stop("fast");
    await create("while away");
    expect(await listGates()).toContain("while_away");
    expect(replica.reports.at(-1)).toMatch(/^The read replica serves no reads until it answers again: /);
    await replica.standby.start();
    const { replica: served = 0, failed = 0 } = outcomes();
    await listGates();
    expect(outcomes()).toMatchObject({ replica: served, failed: failed + 1 });
    await waitFor(async () => {
      replica.clock.uptime += 5_000;
      expect(await listGates()).toContain("while_away");
      expect(outcomes().replica).toBeGreaterThan(served);
    });
    expect(replica.reports.at(-1)).toBe("The read replica serves reads again.");
    const metrics = await readMetrics(replica.reader);
    expect(metrics.get('gatehouse_read_replica_reads{outcome="replica"}')).toBe(outcomes().replica);
  });

  test("serves no single entity", async () => {
    await untilCurrent();
    const before = outcomes();
    await replica.reader.client.getProject();
    expect(outcomes()).toEqual(before);
  });

  test("must be a standby of the database", async () => {
    const config = { databaseUrl: own.direct, databaseReadUrl: own.direct, dataDir: "memory" };
    await expect(openDatabase(config)).rejects.toThrow("The server at DATABASE_READ_URL is not a standby of the one at DATABASE_URL.");
    const reports: string[] = [];
    const opened = await openDatabase({ ...config, databaseReadUrl: replica.url }, { onReport: (message) => reports.push(message) });
    expect(await readingOnStandby(opened, (db) => db.$queryRaw`select pg_is_in_recovery() as "isStandby"`)).toEqual([{ isStandby: true }]);
    expect(reports).toEqual([]);
    await opened.close();
  });

  test("serves nothing after a failover to another standby", async () => {
    const promoted = await startStandby(own.postgres);
    const openPromoted = openPostgres(Object.assign(new URL(own.direct), { port: new URL(promoted.url).port }).href);
    await asAdmin(promoted.url, "alter system set primary_conninfo = ''");
    await asAdmin(promoted.url, "select pg_reload_conf()");
    await waitFor(async () => {
      const [{ receivers }] = await openPromoted.db.$queryRaw<
        [{ receivers: bigint }]
      >`select count(*) as receivers from pg_stat_wal_receiver`;
      expect(receivers).toBe(0n);
    });
    await create("lost by the failover");
    await untilCurrent();
    await own.postgres.stop("immediate");
    await asAdmin(promoted.url, "select pg_promote()");
    const database = withReadReplica(openPromoted, openPostgres(replica.url));
    const read = () =>
      readingOnStandby(database, (db) => db.$queryRaw`select count(*)::int as count from gate where id = 'lost_by_the_failover'`);
    expect(await read()).toEqual([{ count: 0 }]);
    await database.close();
    await promoted.remove();
    await own.postgres.start();
  });
});
