import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RecentUser, recentUsers } from "../../src/evaluation/events/recent-users-store.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const DAY_MS = 24 * 60 * 60 * 1000;
let batch = 0;
/** Logs exposures of a gate, each in its own batch, so that their order is known. */
async function see(gate: string, ...users: object[]) {
  for (const user of users) {
    batch += 1;
    const metadata = { gate, gateValue: "true", ruleID: "r", batch };
    await server.evaluation.logEvent({ body: { events: [{ eventName: "statsig::gate_exposure", user, metadata }] } });
  }
}
const recent = (exposed: string[], limit = 10) => recentUsers(server.database.db, "default", exposed, limit);
const ids = (users: RecentUser[]) => users.map(({ userID }) => userID);

describe("recentUsers", () => {
  test("returns the users seen last in exposures of the entities, newest first, each once", async () => {
    await see("one", { userID: "a" }, { userID: "b" }, { userID: "a" });
    await see("two", { userID: "c" });
    await see("other", { userID: "d" });
    expect(ids(await recent(["one"]))).toEqual(["a", "b"]);
    expect(ids(await recent(["one", "two", "nothing"]))).toEqual(["c", "a", "b"]);
    expect(ids(await recent(["one", "two"], 2))).toEqual(["c", "a"]);
    expect(await recent([])).toEqual([]);
    expect(await recentUsers(server.database.db, "elsewhere", ["one"], 10)).toEqual([]);
  });

  test("returns ids, environment and the newest fields, once for each environment", async () => {
    const user = { userID: "a", customIDs: { companyID: "acme" }, email: "old@example.com" };
    await see("whole", user, { ...user, email: "new@example.com", custom: { plan: "pro" }, privateAttributes: { secret: 1 } });
    await see("whole", { ...user, statsigEnvironment: { tier: "Staging" } });
    const common = { userID: "a", customIDs: { companyID: "acme" } };
    expect(await recent(["whole"])).toEqual([
      { ...common, environment: "staging", fields: { email: "old@example.com" } },
      { ...common, environment: "production", fields: { email: "new@example.com", custom: { plan: "pro" } } },
    ]);
  });

  test("orders by arrival, even across days and with wrong device clocks", async () => {
    await see("clocks", { userID: "first" });
    server.clock.now += DAY_MS;
    await server.evaluation.logEvent({
      body: { events: [{ eventName: "statsig::gate_exposure", user: { userID: "late" }, metadata: { gate: "clocks" }, time: 1 }] },
    });
    expect(ids(await recent(["clocks"]))).toEqual(["late", "first"]);
  });

  test("finds users behind many exposures of the same ones, in entities that are seen at different rates", async () => {
    const exposure = (gate: string, userID: string, number: number) => ({
      eventName: "statsig::gate_exposure",
      user: { userID },
      metadata: { gate, gateValue: "true", number },
    });
    const events = [
      exposure("rare", "rare user", 0),
      ...Array.from({ length: 50 }, (_, number) => exposure("busy", `user ${number}`, number)),
      ...Array.from({ length: 300 }, (_, number) => exposure("busy", `user ${number % 3}`, 1000 + number)),
      exposure("rare", "another", 1),
    ];
    await server.evaluation.logEvent({ body: { events } });
    const newestFirst = [...[2, 1, 0], ...Array.from({ length: 47 }, (_, index) => 49 - index)].map((number) => `user ${number}`);
    expect(ids(await recent(["busy", "rare"], 20))).toEqual(["another", ...newestFirst.slice(0, 19)]);
    expect(ids(await recent(["busy", "rare"], 100))).toEqual(["another", ...newestFirst, "rare user"]);
  });
});
