import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countWaiting } from "../support/locks.ts";
import { needs } from "../support/needs.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

/** A body of more than 256 KiB. */
const LARGE = "a".repeat(300_000);
const rules = [{ name: "r", passPercentage: 0, conditions: [{ type: "user_id", operator: "any", targetValue: [LARGE] }] }];

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("writes with large bodies that wait for a lock", needs.postgres, () => {
  test("do not block a write of another entity", async () => {
    const gates = await Promise.all(["locked", "free"].map((name) => server.client.createGate({ body: { name } })));
    const [locked, free] = gates.map(({ data }) => data.id) as [string, string];
    const patch = (id: string) => server.send("PATCH", `/console/v1/gates/${id}`, { body: { rules } });
    await server.database.withSession(async (session) => {
      await session.script("begin");
      await session.query("select 1 from gate where id = $1 for update", [locked]);
      const stuck = [patch(locked), patch(locked), patch(locked)];
      await waitFor(async () => expect(await countWaiting(server.database)).toBe(3));
      expect((await patch(free)).status).toBe(200);
      expect(await countWaiting(server.database)).toBe(3);
      await session.script("rollback");
      const statuses = (await Promise.all(stuck)).map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([]);
    });
  });
});
