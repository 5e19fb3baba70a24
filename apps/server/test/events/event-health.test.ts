import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { experimentHealth } from "../../src/jobs/experiment-health.ts";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("bought");
});
afterAll(() => server.close());

const experiment = (name: string) => pulse.experiment(name, { primaryMetrics: [{ name: "bought", type: "sum" }] });
const read = async (id: string) => (await server.client.getExperiment({ path: { id } })).data;
const findCheck = async (id: string, type: string) => (await read(id)).healthChecks.find((one) => one.type === type);

/** A hundred units that buy once, a second after they saw a group, and other actions of some of them. */
const buyers = (prefix: string, more: (index: number) => Buyer["purchases"] = () => []): Buyer[] =>
  Array.from({ length: 100 }, (_, index) => ({
    unit: `${prefix} ${index}`,
    group: index % 2 === 0 ? "control" : "test",
    purchases: [{ value: 1, afterMs: 1_000 }, ...more(index)],
  }));

describe("the health of events", () => {
  test("counts texts where a metric reads a number, of events that the metric counts", async () => {
    const name = "priced";
    const criteria = [{ type: "metadata" as const, column: "shop", condition: "in" as const, values: ["main"] }];
    const reads = [
      { name: "price", type: "value" as const, criteria },
      { name: "tip", type: "metadata" as const, metadataKey: "amount" },
    ];
    await pulse.metric(name, { type: "sum", metricEvents: reads });
    const id = await pulse.experiment("event_numbers", { primaryMetrics: [{ name, type: "sum" }] });
    const [user, time] = [{ userID: "u" }, server.clock.now];
    const price = (value: string | number, shop = "main") => ({ eventName: "price", user, time, value, metadata: { shop } });
    const tip = (amount: unknown) => ({ eventName: "tip", user, time, metadata: { amount } });
    await pulse.log(id, [{ unit: "u", group: "control", purchases: [] }], time);
    const events = [price("12,50"), price("12.50"), price(3), price(""), price("many", "other"), tip("5 €"), tip(5), tip("5"), tip(null)];
    await server.evaluation.logEvent({ body: { events } });
    server.clock.now += 1_000;
    await pulse.load(id);
    expect((await findCheck(id, "has_numeric_values"))?.metadata?.events).toEqual([
      { eventName: "tip", status: "FAILED", events: 4, textPercent: 25 },
      { eventName: "price", status: "FAILED", events: 5, textPercent: 20 },
    ]);
  });

  test("warns of future and late events, and is computed only by loads", async () => {
    const id = await experiment("event_times");
    const purchases = (index: number) => [
      ...(index < 2 ? [{ value: 1, afterMs: 2 * DAY_MS }] : []),
      ...(index < 11 ? [{ value: 1, afterMs: -3 * DAY_MS }] : []),
    ];
    await pulse.log(id, buyers("times", purchases), server.clock.now);
    await experimentHealth.run(pulse.env());
    expect(await findCheck(id, "has_plausible_event_times")).toBeUndefined();
    await pulse.load(id);
    const expected = {
      ...{ name: "Times of the events", status: "WARNING" },
      description: "9.7% of the events buy arrived more than a day after they happened. They change the results of past days.",
      metadata: {
        events: [
          {
            ...{ eventName: "buy", status: "WARNING", events: 113 },
            ...{ futurePercent: expect.closeTo(200 / 113, 9), latePercent: expect.closeTo(1_100 / 113, 9) },
          },
        ],
      },
    };
    expect(await findCheck(id, "has_plausible_event_times")).toMatchObject(expected);
    // The hourly check counts no events, and keeps the counts of the load.
    server.clock.now += 2 * HOUR_MS;
    await pulse.log(id, buyers("times later"), server.clock.now);
    await experimentHealth.run(pulse.env());
    expect(await findCheck(id, "has_exposures")).toMatchObject({ description: "200 units have seen a group." });
    expect(await findCheck(id, "has_plausible_event_times")).toMatchObject(expected);
    await server.client.resetExperiment({ path: { id } });
    await server.client.startExperiment({ path: { id }, body: {} });
    await experimentHealth.run(pulse.env());
    expect(await findCheck(id, "has_plausible_event_times")).toBeUndefined();
  });

  test("fails by units with too many events, names them, and changes no ETag", async () => {
    const id = await experiment("event_bots");
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ value: 1, afterMs: 2_000 + index }));
    const of = { 0: 150, 1: 49 } as Record<number, number>;
    await pulse.log(
      id,
      buyers("bots", (index) => many(of[index] ?? 0)),
      server.clock.now,
    );
    // Users who saw no group do not count.
    await server.evaluation.logEvent({
      body: { events: many(300).map(() => ({ eventName: "buy", user: { userID: "stranger" }, value: 1 })) },
    });
    const before = await server.send("GET", `/console/v1/experiments/${id}`);
    await pulse.load(id);
    expect((await server.send("GET", `/console/v1/experiments/${id}`)).headers.get("etag")).toBe(before.headers.get("etag"));
    expect(await read(id)).toMatchObject({ healthCheckStatus: "FAILED" });
    expect(await findCheck(id, "has_plausible_event_counts")).toMatchObject({
      status: "FAILED",
      description:
        "3 of 100 units have 68% of the events buy: bots 0 (151), bots 1 (50), bots 10 (1). They may be bots and can dominate the results.",
      metadata: {
        events: [
          {
            ...{ eventName: "buy", events: 299, units: 100, topPercent: expect.closeTo((100 * 202) / 299, 9) },
            topUnits: [
              { unitID: "bots 0", events: 151 },
              { unitID: "bots 1", events: 50 },
              { unitID: "bots 10", events: 1 },
            ],
          },
        ],
      },
    });
  });

  test("keeps what was counted when events cannot be counted, and the other checks go on", async () => {
    const id = await experiment("event_failing");
    await pulse.log(id, buyers("failing"), server.clock.now);
    await pulse.load(id);
    const before = await findCheck(id, "has_plausible_event_times");
    expect(before?.status).toBe("PASSED");
    await pulse.log(id, buyers("failing too"), server.clock.now);
    const analyse: typeof server.database.analyse = (text, ...rest) =>
      text.includes("tally") ? Promise.reject(new Error("The database is busy.")) : server.database.analyse(text, ...rest);
    await server.client.startExperimentPulseLoad({ path: { id }, body: {} });
    await pulse.run({ database: { ...server.database, analyse } });
    expect(await findCheck(id, "has_exposures")).toMatchObject({ description: "200 units have seen a group." });
    expect(await findCheck(id, "has_plausible_event_times")).toEqual(before);
  });
});
