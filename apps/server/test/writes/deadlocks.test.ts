import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Db, writing } from "../../src/store/database/unit-of-work.ts";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { needs } from "../support/needs.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await database.prisma.$executeRaw`create table counted (id text primary key, count int not null)`;
  await database.prisma.$executeRaw`insert into counted values ('a', 0), ('b', 0)`;
});
afterAll(() => database.close());

const increment = (db: Db, id: string) => db.$executeRaw`update counted set count = count + 1 where id = ${id}`;
const counts = async () =>
  (await database.prisma.$queryRaw<{ count: number }[]>`select count from counted order by id`).map(({ count }) => count);

/** A barrier: resolves for every caller once `size` callers have arrived. */
function barrier(size: number) {
  let arrived = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return () => {
    arrived += 1;
    if (arrived >= size) open();
    return opened;
  };
}

describe("two writes in a deadlock", needs.postgres, () => {
  test("both succeed exactly once: the one that the database aborts is retried", async () => {
    const arrive = barrier(2);
    let begun = 0;
    const write = (first: string, second: string) =>
      writing(database, async (db) => {
        begun += 1;
        await increment(db, first);
        await arrive();
        await increment(db, second);
        return first;
      });
    expect(await Promise.all([write("a", "b"), write("b", "a")])).toEqual(["a", "b"]);
    expect([begun, await counts()]).toEqual([3, [2, 2]]);
  });

  test("both succeed if the database aborts one at its commit", async () => {
    const before = await counts();
    await database.prisma.$executeRaw`
      create function touch_b() returns trigger language plpgsql as $$ begin update counted set count = count where id = 'b'; return null; end $$`;
    await database.prisma.$executeRaw`
      create constraint trigger late after update of count on counted deferrable initially deferred for each row when (new.id = 'a') execute function touch_b()`;
    const arrive = barrier(2);
    const [one, other] = [
      writing(database, async (db) => {
        await increment(db, "a");
        await arrive();
      }),
      writing(database, async (db) => {
        await increment(db, "b");
        await arrive();
        await increment(db, "a");
      }),
    ];
    await Promise.all([one, other]);
    expect(await counts()).toEqual(before.map((count, index) => count + (index === 0 ? 2 : 1)));
  });
});
