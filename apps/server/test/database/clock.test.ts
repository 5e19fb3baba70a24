import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createClock } from "../../src/store/database/clock.ts";
import { startServer, type TestServer } from "../support/server.ts";

let plain: TestServer;
/** How far the replica's own clock is ahead, ms. */
let ahead: number;
beforeEach(async () => {
  plain = await startServer();
});
afterEach(() => plain.close());

async function startReplica() {
  const clock = createClock(plain.database, plain.log, () => Date.now() + ahead);
  await clock.compare();
  return { clock, replica: await plain.replica(plain.database, { now: clock.now, clock }) };
}
const warnings = () => plain.logged.filter((line) => line.includes("This server's clock is"));
const metric = async (replica: TestServer) =>
  Number(/^gatehouse_clock_ahead_seconds (\S+)$/m.exec((await replica.send("GET", "/metrics", { key: null })).text)?.[1]);
/** Tolerates delays by the machine's load. */
const near = (time: number) => Math.abs(time - Date.now()) < 300_000;

describe("a replica whose clock differs from the database's", () => {
  test.each([
    ["ten minutes ahead", 600_000, "600 s ahead of"],
    ["ten minutes behind", -600_000, "600 s behind"],
  ])("that is %s writes the database's time, warns, and shows the difference in its metrics", async (_, difference, words) => {
    ahead = difference;
    const { clock, replica } = await startReplica();
    const { data } = await replica.client.createGate({ body: { name: "new_gate" } });
    expect(near(data.createdTime as number)).toBe(true);
    const change = await plain.database.prisma.change.findFirstOrThrow({ where: { entityID: "new_gate" } });
    expect(near(Number(change.time))).toBe(true);
    expect(Math.round((await metric(replica)) / 60)).toBe(difference / 60_000);
    await clock.compare();
    expect(warnings()).toEqual([expect.stringContaining(`This server's clock is ${words} the database's, whose time is used instead.`)]);
    await replica.close();
  });

  test("keeps the right time when its clock is set, before the clocks are compared again", async () => {
    ahead = 600_000;
    const { clock, replica } = await startReplica();
    ahead = 0;
    expect(near(clock.now())).toBe(true);
    await clock.compare();
    expect([near(clock.now()), Math.abs(clock.aheadMs()) < 300_000]).toEqual([true, true]);
    await replica.close();
  });
});

test("a clock within two seconds of the database's counts as it is, without a warning", async () => {
  const clock = createClock(plain.database, plain.log, () => Date.now());
  await clock.compare();
  expect(warnings()).toEqual([]);
  expect(Math.abs(clock.aheadMs())).toBeLessThan(2_000);
});
