import { afterAll, beforeAll, expect, test } from "vitest";
import { utcDay } from "../../src/common/utc-day.ts";
import { createResultDrift } from "../../src/jobs/result-drift.ts";
import { needs } from "../support/needs.ts";
import { DAY_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
const drift = createResultDrift();
beforeAll(async () => {
  server = await startServer({ drift });
  server.clock.now = utcDay(server.clock.now) * DAY_MS + DAY_MS / 2;
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
});
afterAll(() => server.close());

const gauge = async () => {
  const { text } = await server.send("GET", "/metrics");
  return Number(/^gatehouse_result_drift (.*)$/m.exec(text)?.[1]);
};
const states = () => server.database.db.$queryRaw<{ type: string }[]>`select "subjectType" as type from load_state`;

test(
  "stored results are compared with those of all events once a week, and those that differ are made again",
  needs.ownEvents,
  async () => {
    const id = await pulse.experiment("drifting", { primaryMetrics: [{ name: "Revenue", type: "sum" }] });
    server.clock.now += 1;
    for (let day = 0; day < 2; day++) {
      const units = ["control", "test"].map((group) => ({ unit: group, group, purchases: [{ value: 10, afterMs: 1 }] }));
      await pulse.log(id, units, server.clock.now);
      server.clock.now += DAY_MS;
    }
    await pulse.load(id);
    await drift.job.run(pulse.env());
    expect([drift.latest(), await gauge()]).toEqual([0, 0]);
    // The copy is deleted.
    expect(await states()).toEqual([{ type: "experiment" }]);
    await server.database.db.$executeRaw`delete from event where name = 'buy' and day = ${utcDay(server.clock.now) - 2}`;
    await drift.job.run(pulse.env());
    expect(drift.latest()).toBe(0);
    server.clock.now += 8 * DAY_MS;
    await drift.job.run(pulse.env());
    // On the first day, the sum of the cubes is 1,000 instead of 0.
    expect([drift.latest(), await gauge()]).toEqual([1_000, 1_000]);
    await pulse.load(id);
    expect((await pulse.results(id)).primaryMetrics).toMatchObject([{ controlTotal: 10, testTotal: 10 }]);
  },
);
