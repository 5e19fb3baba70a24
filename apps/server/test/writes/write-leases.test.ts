import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { leaseWrites } from "../../src/store/requests/write-lease.ts";
import { createWriteLimiter } from "../../src/store/requests/write-limiter.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { countWaiting } from "../support/locks.ts";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait-for.ts";

/** A window of 31 years, so that none ends while a test runs. */
const LONG_WINDOW_MS = 1_000_000_000_000;

let database: TestDatabase;
let count = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const newWriter = () => ({ projectID: "default", actor: { id: `key_${++count}`, name: "" } });

/** A limiter whose leases are counted. `onLease` is called before each answer. */
function startLimiter(writes: number, onLease = () => {}) {
  const clock = { now: 0 };
  const leases = { count: 0 };
  const $queryRaw: typeof database.db.$queryRaw = async (...statement) => {
    leases.count += 1;
    const rows = await database.db.$queryRaw(...statement);
    onLease();
    return rows as never;
  };
  const watched = { ...database, db: { ...database.db, $queryRaw } };
  const limiter = createWriteLimiter(watched, { writes, windowMs: LONG_WINDOW_MS, uptime: () => clock.now });
  return { limiter, clock, leases };
}

describe("a server that writes alone", () => {
  test("asks the database 23 times for 5000 writes, and never for writes over the limit", async () => {
    const { limiter, leases } = startLimiter(5_000);
    const writer = newWriter();
    for (let remaining = 4_999; remaining >= 0; remaining--)
      expect(await limiter.take(writer)).toMatchObject({ isAllowed: true, remaining });
    for (let index = 0; index < 100; index++) expect(await limiter.take(writer)).toMatchObject({ isAllowed: false, remaining: 0 });
    expect(leases.count).toBe(23);
  });

  test("asks once for writes that arrive together", async () => {
    const { limiter, leases } = startLimiter(5_000);
    const writer = newWriter();
    await Promise.all(Array.from({ length: 50 }, () => limiter.take(writer)));
    expect(leases.count).toBe(1);
  });
});

test("Several writes at once use what is left of earlier leases, and either all count or none", async () => {
  const { limiter } = startLimiter(5_000);
  const writer = newWriter();
  const expected: [number, boolean, number][] = [
    [1, true, 4_999],
    [500, true, 4_499],
    [4_500, false, 4_499],
    [30, true, 4_469],
    [4_469, true, 0],
    [2, false, 0],
    [1, false, 0],
  ];
  for (const [writes, isAllowed, remaining] of expected)
    expect([writes, await limiter.take(writer, writes)]).toMatchObject([writes, { isAllowed, remaining }]);
});

test("A lease whose answer comes after its window is not used", async () => {
  const { limiter, clock, leases } = startLimiter(5_000, () => {
    if (leases.count === 1) clock.now += LONG_WINDOW_MS;
  });
  // The database is still in the same window: its second answer has less left.
  expect(await limiter.take(newWriter())).toMatchObject({ isAllowed: true, remaining: 5_000 - 50 - 1 });
  expect(leases.count).toBe(2);
});

test("A failed lease fails all who wait for it, and the next write asks again", async () => {
  const { limiter, leases } = startLimiter(5_000, () => {
    if (leases.count === 1) throw new Error("The answer is lost.");
  });
  const writer = newWriter();
  const waiting = await Promise.allSettled([limiter.take(writer), limiter.take(writer)]);
  expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await limiter.take(writer)).toMatchObject({ isAllowed: true });
});

describe("leases", () => {
  const terms = { limit: 100, windowMs: LONG_WINDOW_MS, wanted: 40 };
  const lease = (writer = newWriter(), changed = {}) => leaseWrites(database.db, writer, { ...terms, ...changed });

  test("of a window are never more than the limit, even after the limit was lowered", async () => {
    const writer = newWriter();
    expect(await lease(writer)).toMatchObject({ granted: 40, left: 60 });
    expect(await lease(writer)).toMatchObject({ granted: 40, left: 20 });
    expect(await lease(writer)).toMatchObject({ granted: 20, left: 0 });
    expect(await lease(writer)).toMatchObject({ granted: 0, left: 0 });
    expect(await lease(writer, { limit: 10 })).toMatchObject({ granted: 0, left: 0 });
    expect(await lease(newWriter(), { limit: 10 })).toMatchObject({ granted: 10, left: 0 });
  });

  test("of a new window start again", async () => {
    const writer = newWriter();
    for (let window = 0; window < 3; window++) {
      await database.prisma.$executeRaw`update write_lease set "windowStart" = 0`;
      expect(await lease(writer)).toMatchObject({ granted: 40, left: 60 });
    }
  });

  test("that waited for another count in the window that granted them", needs.postgres, async () => {
    const writer = newWriter();
    const milliseconds = { windowMs: 1 };
    await lease(writer, milliseconds);
    const holder = new pg.Client(database.url);
    await holder.connect();
    await holder.query("begin");
    await holder.query(`select 1 from write_lease where "actorID" = $1 for update`, [writer.actor.id]);
    const waiting = lease(writer, milliseconds);
    await waitFor(async () => expect(await countWaiting(database)).toBe(1));
    const { rows } = await holder.query("select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now");
    await holder.query("commit");
    await holder.end();
    await waiting;
    const { windowStart } = await database.prisma.writeLease.findFirstOrThrow({ where: { actorID: writer.actor.id } });
    expect(Number(windowStart)).toBeGreaterThanOrEqual(rows[0].now);
  });
});
