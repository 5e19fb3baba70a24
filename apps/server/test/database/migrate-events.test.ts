import { afterEach, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database/database.ts";
import { migrate, readMigrations } from "../../src/store/database/migrate.ts";
import { openEmptyDatabase } from "../support/empty-database.ts";

const open: Database[] = [];
afterEach(async () => {
  for (const database of open.splice(0)) await database.close();
});

const DAY_MS = 24 * 60 * 60 * 1000;

/** A database at the version before 0005_events, after the given statements. */
async function before(statements: [sql: string, parameters: unknown[]][]): Promise<Database> {
  const database = await openEmptyDatabase();
  open.push(database);
  await migrate(
    database,
    readMigrations().filter(({ name }) => name < "0005"),
  );
  await database.withSession(async ({ query }) => {
    for (const [sql, parameters] of statements) await query(sql, parameters);
  });
  return database;
}

const insert = (name: string, time: number, entity: object): [string, unknown[]] => [
  `insert into event ("projectID", "name", "time", "entity") values ('default', $1, $2, $3)`,
  [name, time, JSON.stringify({ timestamp: String(time), name, ...entity })],
];
const rest = { source: "http_api", value: "", userID: "", metadata: {} };

describe("0005_events", () => {
  test("moves existing events into today's partition, in order, and counts them", async () => {
    const metadata = { gate: "g", gateValue: "true", ruleID: "r", nested: { b: 1, a: "é" } };
    const database = await before([
      insert("paid", 20, { source: "statsig-node", value: "9.5", userID: "alice", metadata: { sku: "x" } }),
      insert("paid", 10, rest),
      insert("paid", 20, { ...rest, value: "later" }),
      insert("statsig::gate_exposure", 30, { ...rest, metadata }),
      [`insert into event_name values ('default', 'paid', 3, 10, 20), ('default', 'statsig::gate_exposure', 1, 30, 30)`, []],
    ]);
    await migrate(database);
    const events = await database.db.$queryRaw<{ day: number }[]>`select * from event order by "id"`;
    const day = Math.floor(Date.now() / DAY_MS);
    expect([day - 1, day]).toContain(events[0]?.day);
    const later = { userFields: null, secondaryExposures: null };
    const common = { projectID: "default", day: events[0]?.day, customIDs: null, environment: "", exposed: null, ruleID: null, ...later };
    expect(events).toEqual([
      { ...common, id: 1n, name: "paid", time: 20n, source: "statsig-node", value: "9.5", userID: "alice", metadata: '{"sku":"x"}' },
      { ...common, ...rest, id: 2n, name: "paid", time: 10n, metadata: "{}" },
      { ...common, ...rest, id: 3n, name: "paid", time: 20n, value: "later", metadata: "{}" },
      {
        ...common,
        ...rest,
        id: 4n,
        name: "statsig::gate_exposure",
        time: 30n,
        exposed: "g",
        ruleID: "r",
        metadata: JSON.stringify(metadata),
      },
    ]);
    const counts = await database.db.$queryRaw`select * from event_count order by "name"`;
    expect(counts).toEqual([
      { projectID: "default", name: "paid", day: events[0]?.day, count: 3n, firstTime: 10n, lastTime: 20n },
      { projectID: "default", name: "statsig::gate_exposure", day: events[0]?.day, count: 1n, firstTime: 30n, lastTime: 30n },
    ]);
    const [next] = await database.db.$queryRaw<{ id: bigint }[]>`select nextval('event_id_seq') as id`;
    expect(next?.id).toBe(5n);
  });

  test("creates no partition if there are no events", async () => {
    const database = await before([]);
    await migrate(database);
    const rows = await database.db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from pg_inherits where inhparent = 'event'::regclass`;
    expect(rows).toEqual([{ count: 0 }]);
  });
});
