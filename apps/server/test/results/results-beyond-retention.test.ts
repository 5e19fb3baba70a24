import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { utcDay } from "../../src/common/utc-day.ts";
import { expiredDays } from "../../src/evaluation/events/event-partition-store.ts";
import { keepEvents } from "../../src/evaluation/events/kept-events.ts";
import { eventRetention } from "../../src/jobs/event-retention.ts";
import { needs } from "../support/needs.ts";
import { type Checked, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

const REVENUE = { name: "revenue", type: "sum" } as const;
const BUYERS = { name: "buyers", type: "event_user" } as const;

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  // Devices tell the time of the same days as the server.
  server.clock.now = Math.floor(server.clock.now / DAY_MS) * DAY_MS + HOUR_MS;
  pulse = pulseOn(server);
  await pulse.metric("revenue");
  await pulse.metric("buyers", { type: "event_user", metricEvents: [{ name: "buy" }] });
});
afterAll(() => server.close());

/** The days that the next run of the retention drops. */
const expired = (days: number) => expiredDays(server.database.db, utcDay(server.clock.now) - days);
/** Copies events that are kept, as a run of the retention does that is interrupted before it drops a day. */
const copyOnly = async (days: number) => keepEvents(server.database, await expired(days), server.clock.now);
const retain = (days: number) => eventRetention(days).run({ ...pulse.env(), log: pino({ level: "silent" }) });

const buy = (unit: string, value: number) => ({ eventName: "buy", user: { userID: unit }, value, time: server.clock.now });
const log = (events: object[]) => server.evaluation.logEvent({ body: { events } });

describe("the results of an experiment that is older than the retention", needs.ownEvents, () => {
  /** The results without the time of their load, and without the impact on all units of the project, whose events are not all kept. */
  const loaded = async (id: string) => {
    expect((await pulse.load(id)).finishedState).toBe("success");
    const { primaryMetrics } = await pulse.results(id, { series: true });
    return primaryMetrics.map((metric) => Object.fromEntries(Object.entries(metric).filter(([name]) => !/loadedTime|topline/i.test(name))));
  };
  /** Six days of an experiment with CUPED. Its units had bought something before it, as well. */
  async function makeOld(name: string): Promise<string> {
    const units = Array.from({ length: 102 }, (_, index) => `${name} ${index}`);
    await log(units.map((unit, index) => buy(unit, index + 1)));
    server.clock.now += DAY_MS;
    const id = await pulse.experiment(name, { primaryMetrics: [REVENUE, BUYERS] });
    for (let day = 0; day < 6; day++) {
      const buyers = units.map((unit, index) => ({
        unit,
        group: index % 2 ? "test" : "control",
        purchases: day % 2 === index % 2 ? [{ value: (index + 1) * (day + 1), afterMs: day * 1_000 + 1 }] : [],
      }));
      await pulse.log(id, buyers, server.clock.now);
      await log([buy(`a stranger of ${name}`, 1)]);
      server.clock.now += DAY_MS;
    }
    return id;
  }

  test("are the same before a day is copied, between copy and drop, and after it is dropped", async () => {
    const id = await makeOld("old");
    const before = await loaded(id);
    expect(before).toMatchObject([
      {
        metricID: "revenue::sum",
        testUnits: 51,
        controlUnits: 51,
        testTotal: 2_652 * 12,
        controlTotal: 2_601 * 9,
        cuped: { isUsed: true },
      },
      { metricID: "buyers::event_user", testTotal: 51, controlTotal: 51 },
    ]);
    expect(before[0]?.series).toHaveLength(7);
    await copyOnly(3);
    expect(await server.database.prisma.keptEvent.count()).toBeGreaterThan(102);
    expect(await loaded(id)).toEqual(before);
    // Again, as the run after an interrupted one does.
    await copyOnly(3);
    expect(await loaded(id)).toEqual(before);
    const topline = async () => (await pulse.results(id)).primaryMetrics[0]?.topline;
    expect(await topline()).toHaveProperty("total");
    await retain(3);
    expect(await server.database.prisma.droppedEventDay.count()).toBe(4);
    expect(await loaded(id)).toEqual(before);
    expect(await topline()).toMatchObject({ reason: "The total for all users is not known, so there is no percentage." });
    expect(await topline()).not.toHaveProperty("total");
    await retain(1);
    expect(await loaded(id)).toEqual(before);
  });

  test("are the same while the retention drops a day", async () => {
    const id = await makeOld("meanwhile");
    const before = await loaded(id);
    const found: unknown[] = [];
    const dropping = retain(2);
    for (let count = 0; count < 4; count++) found.push(await loaded(id));
    await dropping;
    found.push(await loaded(id));
    for (const one of found) expect(one).toEqual(before);
  });

  test("are of kept events alone; the value of a day counts all events or none", async () => {
    const day = server.clock.now - 5 * DAY_MS;
    const date = new Date(day).toISOString().slice(0, 10);
    expect(await server.database.prisma.keptEvent.count({ where: { day: utcDay(day) } })).toBeGreaterThan(0);
    expect((await server.client.getMetricValue({ query: { id: "revenue::sum", date } })).data).toEqual([]);
  });
});

describe("the results of a gate's rule and of a holdout that are older than the retention", needs.ownEvents, () => {
  const served = (id: string) =>
    waitFor(async () => {
      const { body } = await server.send("GET", "/v1/download_config_specs");
      expect(body.feature_gates.map((spec: { name: string }) => spec.name)).toContain(id);
    });
  const buildUnits = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name} ${index}`);
  /** Exposes units, and lets each buy for 1 on each of five days. */
  async function live(id: string, checked: Checked[]): Promise<void> {
    await pulse.logChecks(id, checked);
    for (let day = 0; day < 5; day++) {
      await log(checked.map(({ unit }) => buy(unit, 1)));
      server.clock.now += DAY_MS;
    }
  }
  const load = async (id: string) => {
    server.clock.now += 1;
    await server.client.startGatePulseLoad({ path: { id }, body: { ruleId: "half" } });
    await pulse.run();
    const { units, monitoringMetrics } = (await server.client.getGatePulseResults({ path: { id, ruleID: "half" } })).data;
    const { testUnits, controlUnits, testMean, controlMean } = monitoringMetrics[0] ?? {};
    return { units, testUnits, controlUnits, testMean, controlMean };
  };

  test("compare all units until a day is dropped, then as many of the larger side as of the smaller, each with all its events", async () => {
    const rules = [{ id: "half", name: "half", passPercentage: 20, conditions: [] }];
    const { id } = (await server.client.createGate({ body: { name: "rolled out", rules, monitoringMetrics: [REVENUE] } })).data;
    await served(id);
    const checked = [
      ...buildUnits("p", 20).map((unit) => ({ unit, passed: true })),
      ...buildUnits("f", 80).map((unit) => ({ unit, passed: false })),
    ];
    await live(id, checked);
    const all = { units: { pass: 20, fail: 80, crossed: 0 }, testUnits: 20, controlUnits: 80, testMean: 5, controlMean: 5 };
    // Days that other tests dropped are before the gate's: the units' actions on them were not kept.
    await server.database.prisma.droppedEventDay.deleteMany();
    expect(await load(id)).toEqual(all);
    await copyOnly(2);
    expect(await load(id)).toEqual(all);
    await retain(2);
    const after = await load(id);
    expect(after).toMatchObject({ testUnits: 20, testMean: 5, controlMean: 5 });
    expect(after.controlUnits).toBe(after.units?.fail);
    expect(after.controlUnits).toBeGreaterThan(8);
    expect(after.controlUnits).toBeLessThan(36);
  });

  test("compare all units of the smaller side if that is the one that fails", async () => {
    const rules = [{ id: "half", name: "half", passPercentage: 80, conditions: [] }];
    const { id } = (await server.client.createGate({ body: { name: "nearly out", rules, monitoringMetrics: [REVENUE] } })).data;
    await served(id);
    await live(id, [
      ...buildUnits("q", 80).map((unit) => ({ unit, passed: true })),
      ...buildUnits("g", 20).map((unit) => ({ unit, passed: false })),
      { unit: "both", passed: true },
      { unit: "both", passed: false },
    ]);
    await retain(2);
    const after = await load(id);
    expect(after).toMatchObject({ units: { fail: 20, crossed: 1 }, controlUnits: 20, testMean: 5, controlMean: 5 });
    expect(after.testUnits).toBeLessThan(36);
  });
});
