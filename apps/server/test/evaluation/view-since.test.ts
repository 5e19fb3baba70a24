import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { replicaRulesets } from "../support/rulesets.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
/** The rulesets of another replica. */
let rulesets: ReturnType<typeof replicaRulesets>;
beforeAll(async () => {
  server = await startServer();
  rulesets = replicaRulesets(server);
});
afterAll(async () => {
  await rulesets.close();
  await server.close();
});

const SCOPE = { type: "SERVER" as const, environments: [], targetApps: [] };
const DAY_MS = 86_400_000;

const read = async () => {
  const { id, rulesetTime, restoredTime } = await server.database.prisma.project.findUniqueOrThrow({ where: { id: "default" } });
  return { id, time: Number(rulesetTime), restoredTime: Number(restoredTime) };
};

describe("the view since a time", () => {
  test("has the change that made the time, if another replica told the caller of it", async () => {
    await rulesets.view("default", SCOPE);
    await server.client.createGate({ body: { name: "awaited" } });
    const { time } = await read();
    const { view, isLatest } = await rulesets.viewSince("default", SCOPE, time);
    expect([view.time, isLatest, view.ruleset.gates.values().map(({ name }) => name)]).toEqual([time, true, ["awaited"]]);
    expect((await read()).restoredTime).toBe(0);
  });

  test("is the database's ruleset, whose time becomes a later one, if the database has lost the change", async () => {
    const { time } = await read();
    const { view } = await rulesets.viewSince("default", SCOPE, time + 1_000);
    const after = await read();
    expect(view.time).toBe(after.time);
    expect(after.time).toBeGreaterThan(time + 1_000);
    expect(after.restoredTime).toBe(after.time);
  });

  test.each([
    ["claims this a second time within ten seconds", 5_000, SCOPE, 0],
    ["claims a time that no ruleset can have", 2 * DAY_MS, SCOPE, DAY_MS],
    ["has a public key", 5_000, { ...SCOPE, type: "CLIENT" as const }, DAY_MS],
  ])("moves no time for a caller who %s", async (_, ahead, scope, age) => {
    await server.database.prisma.project.update({ where: { id: "default" }, data: { restoredTime: Date.now() - age } });
    const { time } = await read();
    const another = replicaRulesets(server);
    const { view, isLatest } = await another.viewSince("default", scope, time + ahead);
    expect([view.time, isLatest, (await read()).time]).toEqual([time, true, time]);
    await another.close();
  });

  test("is the one in memory while the database is away, and says so", async () => {
    const { time } = await read();
    await rulesets.view("default", SCOPE);
    await server.database.cutOff();
    const { view, isLatest } = await rulesets.viewSince("default", SCOPE, time + 1);
    expect([view.time, isLatest]).toEqual([time, false]);
  });
});
