import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { claimRun } from "../../src/console/ingestion/run-queue-store.ts";
import { deleteOldIngestionRuns } from "../../src/jobs/ingestion-runs.ts";
import { runIngestion } from "../../src/jobs/run-ingestion.ts";
import { LEASE_MS } from "../../src/jobs/while-leased.ts";
import { connectWarehouse } from "../support/fixture-ingestion.ts";
import { act, backfill, createEnv, makeActions, makeSource, readStatuses, runJob } from "../support/ingestion-shop.ts";
import { needs } from "../support/needs.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const claim = (runner: string, now = server.clock.now) => claimRun(server.database.db, { runner, now, leaseMs: LEASE_MS });

describe("the queue of runs", () => {
  beforeEach(async () => {
    await connectWarehouse(server);
    await makeSource(server, "a");
  });

  test("gives a run to one replica, and the next one of the project only when it has finished", async () => {
    const [first, second] = [await backfill(server, "2025-11-20", "2025-11-20"), await backfill(server, "2025-11-19", "2025-11-19")];
    const claimed = await Promise.all([claim("one"), claim("two"), claim("three")]);
    expect(claimed.flatMap((run) => run?.id ?? [])).toEqual([first]);
    await server.database.prisma.$executeRaw`update ingestion_run set "finishedTime" = 1 where id = ${first}`;
    expect((await claim("four"))?.id).toBe(second);
  });

  test("gives projects turns", async () => {
    const first = await backfill(server, "2025-11-20", "2025-11-20");
    const second = await backfill(server, "2025-11-19", "2025-11-19");
    await makeOtherProject(server);
    const { prisma } = server.database;
    await prisma.$executeRaw`insert into ingestion_run select * from (
      select (jsonb_populate_record(ingestion_run, '{"projectID":"other","id":"theirs"}')).* from ingestion_run where id = ${second}
    ) as copied`;
    const ended: (string | undefined)[] = [];
    for (let count = 0; count < 3; count += 1) {
      const id = (await claim("one", ++server.clock.now))?.id;
      ended.push(id);
      await prisma.$executeRaw`update ingestion_run set "finishedTime" = 1 where id = ${id}`;
    }
    expect(ended).toEqual([first, "theirs", second]);
  });

  test("gives a run to another replica once its lease has ended, and lets the first one write no more", async () => {
    const id = await backfill(server, "2025-11-20", "2025-11-20");
    const killed = await claim("killed");
    expect(await claim("next")).toBeUndefined();
    server.clock.now += LEASE_MS + 1;
    expect((await claim("next"))?.id).toBe(id);
    await runIngestion(createEnv(server), killed as NonNullable<typeof killed>, 1_000);
    expect(await readStatuses(server, id)).toEqual({ latestStatus: "queued", days: [["a", "2025-11-20", "queued"]] });
  });

  test("lets go of a run when the server stops", async () => {
    const id = await backfill(server, "2025-11-20", "2025-11-20");
    const run = await claim("stopping");
    await runIngestion(createEnv(server, AbortSignal.abort()), run as NonNullable<typeof run>, 1_000);
    expect((await claim("next"))?.id).toBe(id);
  });

  test("leaves out runs of deleted projects", async () => {
    await backfill(server, "2025-11-20", "2025-11-20");
    await server.database.prisma.$executeRaw`update project set "deletedTime" = 1`;
    expect(await claim("one")).toBeUndefined();
  });

  test("forgets runs 90 days after they finished, and their days", async () => {
    await backfill(server, "2025-11-20", "2025-11-20");
    await runJob(server);
    server.clock.now += 90 * 86_400_000;
    await runJob(server, deleteOldIngestionRuns);
    expect((await server.client.listIngestionRuns({})).data).toHaveLength(1);
    server.clock.now += 1;
    await runJob(server, deleteOldIngestionRuns);
    expect((await server.client.listIngestionRuns({})).data).toEqual([]);
    expect(await server.database.prisma.ingestionRunDay.count()).toBe(0);
  });
});

describe("a run on a Postgres", needs.postgresBinaries, () => {
  let shop: ShopWarehouse;
  beforeAll(async () => {
    shop = await startShopWarehouse();
    await makeActions(shop);
  });
  beforeEach(() => server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } }));
  afterEach(() => shop.query("truncate actions"));
  afterAll(() => shop?.close());

  const readEvents = async () => (await server.client.listEvents({ query: {} })).data.map(({ name, count }) => [name, count]);

  test("copies each row once, no matter which replica continues it and how often it is repeated", async () => {
    await act(shop, "2025-11-19", "bought", 3);
    await act(shop, "2025-11-20", "bought", 2);
    await makeSource(server, "shop");
    const id = await backfill(server, "2025-11-19", "2025-11-20");
    await Promise.all([runJob(server), runJob(server)]);
    expect(await readStatuses(server, id)).toEqual({
      latestStatus: "success",
      days: [
        ["shop", "2025-11-19", "success"],
        ["shop", "2025-11-20", "success"],
      ],
    });
    const { data } = await server.client.getIngestionRun({ path: { id } });
    expect(data.runHistory.map(({ status }) => status)).toEqual(["queued", "running", "success"]);
    expect(data.granularHistory[0]?.statusByDate.map(({ rowCount, copiedCount }) => [rowCount, copiedCount])).toEqual([
      [3, 3],
      [2, 2],
    ]);
    await backfill(server, "2025-11-19", "2025-11-20");
    await runJob(server);
    expect(await readEvents()).toEqual([["bought", 5]]);
  });

  test("goes on with the days that a killed replica left", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "shop");
    const id = await backfill(server, "2025-11-19", "2025-11-20");
    await claim("killed");
    const done = JSON.stringify([{ time: 1, status: "success" }]);
    const begun = JSON.stringify([{ time: 1, status: "running" }]);
    await server.database.prisma.$executeRaw`update ingestion_run_day set history = ${begun}`;
    await server.database.prisma
      .$executeRaw`update ingestion_run_day set history = ${done} where day = (select min(day) from ingestion_run_day)`;
    server.clock.now += LEASE_MS + 1;
    await runJob(server);
    expect((await readStatuses(server, id)).latestStatus).toBe("success");
    const { data } = await server.client.listIngestionStatuses({ query: { startDate: "2025-11-17", endDate: "2025-11-21" } });
    expect(data.map(({ ds, status }) => [ds, status])).toEqual([["2025-11-20", "success"]]);
  });

  test("copies what it can if a source fails, and says why", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "broken", { query: "select * from nothing" });
    await makeSource(server, "deleted");
    await makeSource(server, "shop");
    const id = await backfill(server, "2025-11-20", "2025-11-20");
    await server.client.deleteIngestionSource({ path: { name: "deleted" } });
    await runJob(server);
    const { data } = await server.client.getIngestionRun({ path: { id } });
    expect(data.latestStatus).toBe("partial_failure");
    expect(
      data.granularHistory.map(({ source, latestSourceStatus, statusByDate }) => [source, latestSourceStatus, statusByDate[0]?.message]),
    ).toEqual([
      ["broken", "failure", 'The warehouse did not answer. It refused the statement: relation "nothing" does not exist.'],
      ["deleted", "failure", "The source was deleted."],
      ["shop", "success", null],
    ]);
  });

  test("fails if the warehouse is away, has another engine or is gone, and can be repeated", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "shop");
    const outcome = async () => {
      const id = await backfill(server, "2025-11-20", "2025-11-20", "shop");
      await runJob(server);
      const { data } = await server.client.getIngestionRun({ path: { id } });
      return [data.latestStatus, data.granularHistory[0]?.statusByDate[0]?.message];
    };
    await shop.stop();
    expect(await outcome()).toEqual([
      "failure",
      expect.stringMatching(/^The warehouse did not answer\. It cannot be reached: connect ECONNREFUSED/),
    ]);
    await shop.start();
    await server.client.updateWarehouseConnection({ body: { clickhouse: { url: "clickhouse://reader@warehouse.example.com/shop" } } });
    expect(await outcome()).toEqual(["failure", "The project's warehouse is clickhouse, and the source is of the type postgres."]);
    await server.client.deleteWarehouseConnection({});
    expect(await outcome()).toEqual(["failure", "The project has no warehouse."]);
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
    expect(await outcome()).toEqual(["success", null]);
  });

  test("reads a day again for 90 days, and refuses it once the copied rows are forgotten", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "shop");
    const outcome = async () => {
      const id = await backfill(server, "2025-11-20", "2025-11-20");
      await runJob(server);
      return (await server.client.getIngestionRun({ path: { id } })).data.granularHistory[0]?.statusByDate.map(({ message }) => message);
    };
    expect(await outcome()).toEqual([null]);
    server.clock.now += 90 * 86_400_000;
    await runJob(server, deleteOldIngestionRuns);
    expect(await outcome()).toEqual([null]);
    server.clock.now += 90 * 86_400_000 + 1;
    await runJob(server, deleteOldIngestionRuns);
    expect(await outcome()).toEqual(["It was copied so long ago that its rows have been forgotten, so they would be copied twice."]);
  });

  test("refuses days that were copied with another query, and those of a source that has another dataset by now", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "shop");
    await backfill(server, "2025-11-20", "2025-11-20");
    await runJob(server);
    await server.client.patchIngestionSource({ path: { name: "shop" }, body: { query: "select *, 1 as one from actions" } });
    const readMessages = async (id: string) =>
      (await server.client.getIngestionRun({ path: { id } })).data.granularHistory[0]?.statusByDate.map(({ message }) => message);
    const again = await backfill(server, "2025-11-19", "2025-11-20");
    await runJob(server);
    expect(await readMessages(again)).toEqual([
      null,
      "It was copied with another query or mapping, or from another engine. Its rows would be copied twice.",
    ]);
    const last = await backfill(server, "2025-11-20", "2025-11-20");
    await server.client.deleteIngestionSource({ path: { name: "shop" } });
    const column_mapping = { experiment: "what", group_id: "what", timestamp: "at", unit_id: "customer" };
    await makeSource(server, "shop", { dataset: "Exposures", column_mapping });
    await runJob(server);
    expect(await readMessages(last)).toEqual(["The source has the dataset Exposures now."]);
  });

  test("copies no row a second time for a source of the same name", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "shop");
    await backfill(server, "2025-11-20", "2025-11-20");
    await runJob(server);
    await server.client.deleteIngestionSource({ path: { name: "shop" } });
    await makeSource(server, "shop");
    await backfill(server, "2025-11-20", "2025-11-20");
    await runJob(server);
    expect(await readEvents()).toEqual([["bought", 1]]);
  });
});
