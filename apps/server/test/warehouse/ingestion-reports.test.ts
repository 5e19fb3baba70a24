import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { act, backfill, makeActions, makeSource, runJob } from "../support/ingestion-shop.ts";
import { needs } from "../support/needs.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

describe("reports on copied rows", needs.postgresBinaries, () => {
  let server: TestServer;
  let shop: ShopWarehouse;
  beforeAll(async () => {
    shop = await startShopWarehouse();
    await makeActions(shop);
  });
  beforeEach(async () => {
    server = await startServer();
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
  });
  afterEach(async () => {
    await server?.close();
    await shop?.query("truncate actions");
  });
  afterAll(() => shop?.close());

  const query = { start_date: "2025-11-17", end_date: "2025-11-21" };

  test("listIngestionEventCounts and listIngestionEventDeltas: 200 by day, and flat with event_name", async () => {
    await act(shop, "2025-11-20", "bought", 2);
    await act(shop, "2025-11-20", "seen", 3);
    await act(shop, "2025-11-19", "seen");
    for (const name of ["one", "two"]) await makeSource(server, name);
    await backfill(server, "2025-11-19", "2025-11-20");
    await runJob(server);
    const last_updated_time = new Date(server.clock.now).toISOString();
    expect((await server.client.listIngestionEventCounts({ query })).data).toEqual([
      { date: "2025-11-19", events: [{ event: "seen", count: 2, last_updated_time }] },
      {
        date: "2025-11-20",
        events: [
          { event: "seen", count: 6, last_updated_time },
          { event: "bought", count: 4, last_updated_time },
        ],
      },
    ]);
    expect((await server.client.listIngestionEventCounts({ query: { ...query, event_name: "bought", source_name: "two" } })).data).toEqual([
      { date: "2025-11-20", event: "bought", count: 2, last_updated_time },
    ]);
    await shop.query("delete from actions where what = 'bought' and id = 1");
    await backfill(server, "2025-11-20", "2025-11-20", "one");
    await runJob(server);
    const delta = (source: string, external_count: number) => ({
      ...{ date: "2025-11-20", source, event: "bought", internal_count: 2, external_count, has_diff: external_count !== 2, threshold: 0 },
      last_updated_time,
    });
    expect((await server.client.listIngestionEventDeltas({ query: { ...query, event_name: "bought" } })).data).toEqual([
      delta("two", 2),
      delta("one", 1),
    ]);
    const { data } = await server.client.listIngestionEventDeltas({ query: { ...query, source_name: "one" } });
    const { date: _, ...ofOne } = delta("one", 1);
    expect(data[1]).toEqual({ date: "2025-11-20", events: [expect.objectContaining({ event: "seen", external_count: 3 }), ofOne] });
  });

  test("listIngestionStatuses: 200 by source, dataset and status, newest first", async () => {
    await act(shop, "2025-11-20", "bought");
    await makeSource(server, "broken", { query: "select * from nothing" });
    for (const name of ["deleted", "shop"]) await makeSource(server, name);
    await backfill(server, "2025-11-19", "2025-11-20");
    await runJob(server);
    await server.client.deleteIngestionSource({ path: { name: "deleted" } });
    const days = { startDate: "2025-11-17", endDate: "2025-11-21" };
    const found = async (filter: object = {}) => {
      const { data, pagination } = await server.client.listIngestionStatuses({ query: { ...days, ...filter } });
      expect(pagination.totalItems).toBeGreaterThanOrEqual(data.length);
      return data.map(({ ds, source_name, status }) => [ds, source_name, status]);
    };
    expect(await found({ limit: 3 })).toEqual([
      ["2025-11-20", "broken", "failure"],
      ["2025-11-20", "deleted", "success"],
      ["2025-11-20", "shop", "success"],
    ]);
    expect(await found({ limit: 3, page: 2 })).toHaveLength(3);
    expect(await found({ source: "shop", status: "success" })).toHaveLength(2);
    expect(await found({ status: "failure", statuses: ["running"] })).toHaveLength(2);
    expect(await found({ statuses: ["running"] })).toEqual([]);
    expect(await found({ dataset: "Events" })).toHaveLength(4);
    expect((await server.client.listIngestionStatuses({ query: { ...days, source: "shop" } })).data[0]).toEqual({
      ...{ ds: "2025-11-20", ingestion_dataset: "Events", ingestion_source: "postgres", source_name: "shop", message: null },
      ...{ status: "success", rowCount: 1, copiedCount: 1, refusedCount: 0, timestamp: new Date(server.clock.now).toISOString() },
    });
    const [broken] = (await server.client.listIngestionStatuses({ query: { ...days, source: "broken" } })).data;
    expect(broken?.error_message).toBe('The warehouse did not answer. It refused the statement: relation "nothing" does not exist.');
    expect(broken?.message).toBe(broken?.error_message);
    const [deleted] = (await server.client.listIngestionStatuses({ query: { ...days, source: "deleted" } })).data;
    expect([deleted?.ingestion_dataset, deleted?.ingestion_source]).toEqual([null, null]);
  });

  test("the reports: 400 for days in the wrong order and too many", async () => {
    const errors = async (call: Promise<unknown>) => (await refusal(call)).errors;
    expect(await errors(server.client.listIngestionEventCounts({ query: { ...query, end_date: "2025-11-16" } }))).toEqual([
      { property: "end_date", errorMessage: "must not be before start_date" },
    ]);
    expect(await errors(server.client.listIngestionEventDeltas({ query: { ...query, end_date: "2025-12-18" } }))).toEqual([
      { property: "end_date", errorMessage: "must be at most 30 days after start_date" },
    ]);
    expect(await errors(server.client.listIngestionStatuses({ query: { startDate: "2025-11-17", endDate: "2025-12-18" } }))).toEqual([
      { property: "endDate", errorMessage: "must be at most 30 days after startDate" },
    ]);
  });

  test("previewIngestionSource: 200 with ten rows; 400 for columns and queries that the warehouse does not have", async () => {
    await act(shop, "2025-11-20", "bought", 12);
    const preview = (body: object) => server.client.previewIngestionSource({ body });
    const column_mapping = { event_name: "what", timestamp: "at", unit_id: "customer", metadata: { id: "id" } };
    const { data } = await preview({ schema: "public", table: "actions", column_mapping });
    expect([data.columns.map(({ name }) => name), data.rows.length]).toEqual([["id", "what", "customer", "at"], 10]);
    const wrong = { ...column_mapping, timestamp: "time", unit_id: "null", ids: { companyID: "company" } };
    expect(await refusal(preview({ query: "select * from actions", column_mapping: wrong }))).toEqual(
      invalid(
        ["column_mapping.timestamp", "names the column time, which the source does not have"],
        ["column_mapping.ids.companyID", "names the column company, which the source does not have"],
      ),
    );
    expect((await refusal(preview({ query: "select price from actions" }))).errors).toEqual([
      { property: "query", errorMessage: 'failed on the warehouse: It refused the statement: column "price" does not exist.' },
    ]);
    expect((await refusal(preview({ table: "nothing" }))).errors).toEqual([
      { property: "table", errorMessage: 'failed on the warehouse: It refused the statement: relation "nothing" does not exist.' },
    ]);
    expect((await refusal(preview({}))).errors).toEqual([{ property: "query", errorMessage: "is required, unless table is given" }]);
    await server.client.deleteWarehouseConnection({});
    expect((await preview({ query: "select 1" })).data).toEqual({ columns: [], rows: [], reason: "The project has no warehouse." });
  });
});
