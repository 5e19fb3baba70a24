import pino from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { forgetIdentities, listIngestedCounts, listIngestedDays } from "../../src/console/ingestion/ingested-day-store.ts";
import { changedDays, ingestDay, Left } from "../../src/jobs/ingest-day.ts";
import type { SourceRows } from "../../src/jobs/ingested-events.ts";
import { eventReader } from "../../src/store/database/ask.ts";
import { NotComputable } from "../../src/warehouse/source-tables.ts";
import { WarehouseFailure } from "../../src/warehouse/warehouse.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type ShopWarehouse, startShopWarehouse } from "../support/shop-warehouse.ts";

const DAY_MS = 86_400_000;
const PROJECT = "default";

const ANY = { timeoutMs: 60_000, signal: new AbortController().signal };
const MAPPING = { event_name: "what", timestamp: "at", unit_id: "customer", ids: { companyID: "company" }, event_value: "total" };

describe("a day of an ingestion source", needs.postgresBinaries, () => {
  let server: TestServer;
  let shop: ShopWarehouse;
  let day: number;

  const env = () => ({ database: server.database, log: pino({ level: "silent" }), now: () => server.clock.now });
  const source = (id: string, rest: Partial<SourceRows> = {}): { id: string; type: string; data: SourceRows } => ({
    ...{ id, type: "postgres" },
    data: { dataset: "Events", query: "select * from actions", column_mapping: MAPPING, ...rest },
  });
  const copy = (from = source("shop"), { signal = new AbortController().signal, own = env(), on = day } = {}) =>
    ingestDay(own, { projectID: PROJECT, source: from, day: on }, { timeoutMs: 60_000, signal });
  const known = async () => listIngestedDays(server.database.db, { projectID: PROJECT, from: day - 1, to: day + 1 });
  const counts = async () => listIngestedCounts(server.database.db, { projectID: PROJECT, from: day, to: day });

  /** Stores rows of actions, each a text of its columns. */
  const act = (rows: readonly { what?: string | null; customer?: string | null; at?: number; total?: number; more?: object }[]) =>
    shop.query(
      `insert into actions select what, customer, company, to_timestamp(at / 1000.0), total, more from json_to_recordset($1) as given (
        what text, customer text, company text, at float8, total numeric, more jsonb)`,
      [JSON.stringify(rows.map((row) => ({ what: "bought", customer: "ada", at: day * DAY_MS, ...row })))],
    );
  /** The stored events. On ClickHouse they arrive soon after they are copied. */
  const events = () =>
    eventReader(server.database.db).read<Record<string, unknown>>(
      () => `select "name", "time", "userID", "customIDs", "value", "metadata", "source" from event`,
    );
  const readValues = async () => (await events()).map(({ value }) => Number(value)).toSorted((a, b) => a - b);

  beforeAll(async () => {
    shop = await startShopWarehouse();
    await shop.query("create table actions (what text, customer text, company text, at timestamptz, total numeric, more jsonb)");
    await shop.query("grant select on actions to reader");
  });
  beforeEach(async () => {
    server = await startServer();
    await server.client.updateWarehouseConnection({ body: { postgres: { url: shop.url } } });
    day = Math.floor(server.clock.now / DAY_MS) - 1;
  });
  afterEach(async () => {
    await server?.close();
    await shop?.query("truncate actions");
  });
  afterAll(() => shop?.close());

  test("is copied with the units, values, times and metadata of its rows", async () => {
    const at = day * DAY_MS + 1_234;
    await act([{ at, total: 9.5, more: { city: "Rome", n: 1 } }, { at: day * DAY_MS - 1 }, { at: (day + 1) * DAY_MS }]);
    await shop.query("update actions set company = 'acme'");
    await copy(source("shop", { column_mapping: { ...MAPPING, metadata_object: "more", metadata: { who: "customer" } } }));
    await expect.poll(events).toHaveLength(1);
    const [event] = await events();
    const { time, customIDs, metadata, ...rest } = event as Record<string, unknown>;
    expect(rest).toEqual({ name: "bought", userID: "ada", value: "9.5", source: "ingestion" });
    expect(Number(time)).toBe(at);
    expect(JSON.parse(String(customIDs))).toEqual({ companyID: "acme" });
    expect(JSON.parse(String(metadata))).toEqual({ city: "Rome", n: 1, who: "ada" });
    expect(await known()).toEqual([
      { source: "shop", day, state: "complete", rows: 1, refused: 0, copied: 1, message: null, updatedTime: server.clock.now },
    ]);
    expect((await server.client.listEvents({ query: {} })).data).toMatchObject([{ name: "bought", count: 1 }]);
  });

  test("is copied from a table, using an integer column with the time in ms", async () => {
    await shop.query("create table if not exists clicks (kind text, at bigint, who text)");
    await shop.query("grant select on clicks to reader");
    await shop.query("insert into clicks values ('clicked', $1, 'ada'), ('clicked', $2, 'ada')", [day * DAY_MS + 7, (day + 1) * DAY_MS]);
    const rows: SourceRows = {
      dataset: "Events",
      schema: "public",
      table: "clicks",
      column_mapping: { event_name: "kind", timestamp: "at", unit_id: "who" },
    };
    await copy({ ...source("clicks"), data: rows });
    await expect.poll(events).toHaveLength(1);
    expect((await events()).map(({ time }) => Number(time))).toEqual([day * DAY_MS + 7]);
    await shop.query("drop table clicks");
  });

  test("is copied once, however often that is repeated, with what has come since", async () => {
    await act([{ total: 1 }, { total: 2 }, { total: 2 }]);
    await copy();
    expect(await copy()).toEqual({ rows: 3, copied: 0, refused: 0, message: null });
    await act([{ total: 2 }, { total: 0 }]);
    const days = [day - 1, day, day + 1];
    const changed = () => changedDays(env(), { projectID: PROJECT, source: source("shop"), days }, ANY);
    expect(await changed()).toEqual([day]);
    expect(await copy()).toEqual({ rows: 5, copied: 2, refused: 0, message: null });
    expect(await changed()).toEqual([]);
    await expect.poll(readValues).toEqual([0, 1, 2, 2, 2]);
    expect(await known()).toMatchObject([{ state: "complete", rows: 5, copied: 5 }]);
    expect(await counts()).toMatchObject([{ source: "shop", event: "bought", internal: 5, external: 5 }]);
    await shop.query("delete from actions where total = 2");
    expect(await changed()).toEqual([day]);
    await copy();
    expect(await counts()).toMatchObject([{ internal: 5, external: 2 }]);
    await expect.poll(readValues).toEqual([0, 1, 2, 2, 2]);
  });

  test("goes on where it was interrupted, and each row comes once though two replicas copy it", async () => {
    const rows = Array.from({ length: 5_300 }, (_, n) => ({ total: n % 5_000, at: day * DAY_MS + n }));
    await act(rows.map((row) => ({ ...row, at: day * DAY_MS })));
    const stopped = new AbortController();
    let transactions = 0;
    const own = env();
    const transaction: typeof own.database.transaction = async (work, options) => {
      const result = await own.database.transaction(work, options);
      transactions += 1;
      if (transactions === 5) stopped.abort();
      return result;
    };
    await expect(
      copy(source("shop"), { signal: stopped.signal, own: { ...own, database: { ...own.database, transaction } } }),
    ).rejects.toThrow(Left);
    const [half] = await known();
    expect(half).toMatchObject({ state: "running", rows: expect.any(Number) });
    expect(half?.rows).toBeGreaterThan(0);
    expect(half?.rows).toBeLessThan(5_300);
    const outcomes = await Promise.allSettled([copy(), copy()]);
    for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason).toBeInstanceOf(Left);
    if ((await known())[0]?.state === "running") await copy();
    expect(await known()).toMatchObject([{ state: "complete", rows: 5_300, copied: 5_300 }]);
    await expect.poll(readValues).toEqual(rows.map(({ total }) => total).toSorted((a, b) => a - b));
  });

  test("counts rows that are not events as refused, says why, and copies the other rows", async () => {
    await act([{ total: 1 }, { what: null }, { what: "statsig::gate_exposure" }, { what: "x".repeat(200) }, { customer: null, total: 2 }]);
    await copy();
    await expect.poll(readValues).toEqual([1]);
    const [found] = await known();
    expect(found).toMatchObject({ state: "complete", rows: 5, refused: 4, copied: 1 });
    expect(found?.message).toMatch(/^A row was refused: .+\.$/);
    expect(await counts()).toMatchObject([
      { event: "bought", internal: 1, external: 2 },
      { event: "statsig::gate_exposure", internal: 0, external: 1 },
    ]);
  });

  test("of exposures makes units see the groups of experiments", async () => {
    const groups = ["control", "test"].map((id) => ({ id, name: id, size: 50 }));
    // Exposures from before the start do not count.
    server.clock.now -= 2 * DAY_MS;
    await server.client.createExperiment({
      body: { name: "button", groups, controlGroupID: "control", allocation: 100, status: "active" },
    });
    server.clock.now += 2 * DAY_MS;
    await act([
      { what: "test", customer: "ada" },
      { what: "control", customer: "bob" },
      { what: "test", customer: "ada", total: 1 },
      { what: null },
    ]);
    const query = "select *, 'button' as experiment from actions";
    const mapping = { experiment: "experiment", group_id: "what", timestamp: "at", unit_id: "customer" };
    await copy({ ...source("shown"), data: { dataset: "Exposures", query, column_mapping: mapping } });
    const exposures = () =>
      eventReader(server.database.db).read<object>(
        () => `select "experimentID", "groupID", "unitID" from experiment_exposure order by "unitID", "groupID"`,
      );
    await expect.poll(exposures).toEqual([
      { experimentID: "button", groupID: "test", unitID: "ada" },
      { experimentID: "button", groupID: "control", unitID: "bob" },
    ]);
    expect(await known()).toMatchObject([{ rows: 4, refused: 1, copied: 3, message: "A row was refused: it has no what." }]);
    expect(await counts()).toMatchObject([{ event: "button", internal: 3, external: 4 }]);
  });

  test("is refused once its rows are defined otherwise, unless none was copied", async () => {
    const other = source("shop", { query: "select *, 1 as one from actions" });
    await copy(source("shop", { query: "select * from actions where total = 7" }));
    await act([{ total: 1 }]);
    await copy();
    await expect(copy(other)).rejects.toThrow("It was copied with another query or mapping, or from another engine.");
    await expect(copy({ ...source("shop"), type: "clickhouse" })).rejects.toThrow(
      "or from another engine. Its rows would be copied twice.",
    );
    const reordered = source("shop", { column_mapping: Object.fromEntries(Object.entries(MAPPING).toReversed()) as never });
    await copy(reordered);
    await forgetIdentities(server.database.db, server.clock.now + 1);
    await expect(copy()).rejects.toThrow("It was copied so long ago that its rows have been forgotten, so they would be copied twice.");
    expect(await known()).toMatchObject([{ state: "complete", copied: 1 }]);
    await expect.poll(readValues).toEqual([1]);
  });

  test("notes why it cannot be copied, and is once it can", async () => {
    const mapping = { ...MAPPING, unit_id: "visitor" };
    await act([{ total: 3 }]);
    await expect(copy(source("shop", { column_mapping: mapping }))).rejects.toThrow(NotComputable);
    expect(await known()).toMatchObject([{ state: "failed", message: "The ingestion source shop has no column visitor." }]);
    await expect(copy(source("shop", { column_mapping: { ...MAPPING, timestamp: "what" } }))).rejects.toThrow(
      "The column what of the ingestion source shop has the type text, which is not a time.",
    );
    await expect(copy(source("shop", { query: "select * from nothing" }))).rejects.toThrow(WarehouseFailure);
    expect((await known())[0]?.message).toMatch(/^The warehouse did not answer\. It refused the statement: /);
    await copy();
    expect(await known()).toMatchObject([{ state: "complete", copied: 1, message: null }]);
    await shop.query("insert into actions select 'bought', 'ada', null, to_timestamp($1), 4, null from generate_series(1, 10001)", [
      day * 86_400,
    ]);
    await expect(copy()).rejects.toThrow("It has the same row 10001 times. Map a column that tells its rows apart.");
    await shop.query("truncate actions");
    await shop.query(
      "insert into actions select 'bought', repeat('a', 1000000), null, to_timestamp($1), 4, null from generate_series(1, 40)",
      [day * 86_400],
    );
    await expect(copy()).rejects.toThrow("It has the same row 40 times. Map a column that tells its rows apart.");
  });
});
