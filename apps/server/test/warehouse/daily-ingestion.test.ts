import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { dailyIngestion } from "../../src/jobs/daily-ingestion.ts";
import { connectWarehouse } from "../support/fixture-ingestion.ts";
import { act, backfill, makeActions, makeSource, readStatuses, runJob } from "../support/ingestion-shop.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const at = (time: string) => {
  server.clock.now = Date.parse(time);
};
const addDue = () => runJob(server, dailyIngestion);
const runs = async () => (await server.client.listIngestionRuns({})).data;

/** The given times, each a run of the minute's step, that add an ingestion run. */
async function addedAt(times: string[]): Promise<string[]> {
  const added: string[] = [];
  for (const time of times) {
    at(time);
    const before = (await runs()).length;
    await addDue();
    if ((await runs()).length > before) added.push(time);
    await server.database.prisma.$executeRaw`update ingestion_run set "finishedTime" = ${server.clock.now}`;
  }
  return added;
}

describe("the schedule", () => {
  beforeEach(() => connectWarehouse(server));

  test("adds a run of yesterday in UTC, once a day after its hour in Los Angeles, for each dataset with an enabled source", async () => {
    await makeSource(server, "shop");
    await makeSource(server, "disabled", { enabled: false });
    // In winter, ten o'clock in Los Angeles is 18:00 in UTC.
    expect(await addedAt(["2025-11-21T17:59:59Z", "2025-11-21T18:00:00Z", "2025-11-22T07:59:59Z", "2025-11-22T17:59:59Z"])).toEqual([
      "2025-11-21T18:00:00Z",
    ]);
    const [run] = await runs();
    expect(run).toMatchObject({ dataset: "Events", trigger: "schedule", creatorName: null, sources: ["shop"], dateStamps: ["2025-11-20"] });
    const column_mapping = { experiment: "what", group_id: "what", timestamp: "at", unit_id: "customer" };
    await makeSource(server, "exposures", { dataset: "Exposures", column_mapping });
    at("2025-11-22T18:00:00Z");
    await addDue();
    expect((await runs()).slice(0, 2).map(({ dataset, dateStamps }) => [dataset, dateStamps])).toEqual([
      ["Exposures", ["2025-11-21"]],
      ["Events", ["2025-11-21"]],
    ]);
  });

  test("adds one run though several replicas find it due at once", async () => {
    await makeSource(server, "shop");
    at("2025-11-21T20:00:00Z");
    await Promise.all([addDue(), addDue(), addDue()]);
    expect(await runs()).toHaveLength(1);
  });

  test("follows the clocks of Los Angeles, which skip an hour in spring and repeat one in autumn", async () => {
    await makeSource(server, "shop");
    await server.client.updateIngestionSchedule({ body: { dataset: "Events", scheduled_hour_pst: 2 } });
    // On 2026-03-08 clocks go from 02:00 to 03:00, at 10:00 in UTC.
    expect(await addedAt(["2026-03-07T09:59:00Z", "2026-03-07T10:00:00Z", "2026-03-08T09:59:00Z", "2026-03-08T10:00:00Z"])).toEqual([
      "2026-03-07T10:00:00Z",
      "2026-03-08T10:00:00Z",
    ]);
    expect(await addedAt(["2026-03-09T08:59:00Z", "2026-03-09T09:00:00Z"])).toEqual(["2026-03-09T09:00:00Z"]);
    // On 2026-11-01 clocks show 01:00 to 02:00 twice: from 08:00 and from 09:00 in UTC.
    await server.client.updateIngestionSchedule({ body: { dataset: "Events", scheduled_hour_pst: 1 } });
    expect(await addedAt(["2026-11-01T07:59:00Z", "2026-11-01T08:00:00Z", "2026-11-01T09:00:00Z", "2026-11-02T08:59:00Z"])).toEqual([
      "2026-11-01T08:00:00Z",
    ]);
    expect(await addedAt(["2026-11-02T09:00:00Z"])).toEqual(["2026-11-02T09:00:00Z"]);
  });

  test("adds no second run on a day whose hour is moved, and none while the last one has not finished", async () => {
    await makeSource(server, "shop");
    at("2025-11-21T18:00:00Z");
    await addDue();
    await server.client.updateIngestionSchedule({ body: { dataset: "Events", scheduled_hour_pst: 23 } });
    at("2025-11-22T07:30:00Z");
    await addDue();
    at("2025-11-23T07:30:00Z");
    await addDue();
    expect(await runs()).toHaveLength(1);
    await server.database.prisma.$executeRaw`update ingestion_run set "finishedTime" = ${server.clock.now}`;
    await addDue();
    expect(await runs()).toHaveLength(2);
  });

  test("divides more than 50 sources among runs", async () => {
    for (let index = 0; index < 51; index += 1) await makeSource(server, `source ${index}`);
    at("2025-11-21T18:00:00Z");
    await addDue();
    await addDue();
    expect((await runs()).map(({ sources }) => sources.length).sort()).toEqual([1, 50]);
  });
});

describe("a run of the schedule", needs.postgresBinaries, () => {
  let shop: ShopWarehouse;
  beforeAll(async () => {
    shop = await startShopWarehouse();
    await makeActions(shop);
  });
  beforeEach(async () => {
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
    await makeSource(server, "shop");
  });
  afterEach(() => shop.query("truncate actions"));
  afterAll(() => shop?.close());

  /** The days of the run that is due at a time. */
  async function runAt(time: string): Promise<(string | undefined)[]> {
    at(time);
    await addDue();
    await runJob(server);
    const [run] = await runs();
    return (await readStatuses(server, run?.runID ?? "")).days.map(([, date, status]) => `${date} ${status}`);
  }

  test("copies only yesterday from a source that was never copied", async () => {
    await act(shop, "2025-11-18", "bought");
    expect(await runAt("2025-11-21T18:00:00Z")).toEqual(["2025-11-20 success"]);
  });

  test("copies those of the six days before that have new rows, or were not copied since the first one", async () => {
    for (const date of ["2025-11-12", "2025-11-14", "2025-11-15", "2025-11-17"]) await act(shop, date, "bought");
    at("2025-11-18T12:00:00Z");
    await backfill(server, "2025-11-12", "2025-11-15");
    await backfill(server, "2025-11-17", "2025-11-17");
    await runJob(server);
    // Late rows come to a day within the week and to one before it.
    await act(shop, "2025-11-12", "bought");
    await act(shop, "2025-11-15", "bought", 2);
    expect(await runAt("2025-11-21T18:00:00Z")).toEqual([
      "2025-11-15 success",
      "2025-11-16 success",
      "2025-11-18 success",
      "2025-11-19 success",
      "2025-11-20 success",
    ]);
    expect(await runAt("2025-11-22T18:00:00Z")).toEqual(["2025-11-21 success"]);
  });

  test("copies yesterday and what was not copied though the warehouse cannot say what has changed", async () => {
    at("2025-11-21T12:00:00Z");
    await backfill(server, "2025-11-18", "2025-11-18");
    await runJob(server);
    await shop.stop();
    expect(await runAt("2025-11-21T18:00:00Z")).toEqual(["2025-11-19 failure", "2025-11-20 failure"]);
    await shop.start();
    expect(await runAt("2025-11-22T18:00:00Z")).toEqual(["2025-11-19 success", "2025-11-20 success", "2025-11-21 success"]);
  });

  test("leaves out a source that was disabled since it was added", async () => {
    at("2025-11-21T18:00:00Z");
    await addDue();
    await server.client.patchIngestionSource({ path: { name: "shop" }, body: { enabled: false } });
    await runJob(server);
    const [run] = await runs();
    expect(run?.granularHistory[0]?.statusByDate.map(({ dateStamp, message }) => [dateStamp, message])).toEqual([
      ["2025-11-20", "The source was disabled."],
    ]);
  });
});
