import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dailyLoads } from "../../src/jobs/daily-loads.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

const REVENUE = { name: "Revenue", type: "sum" };

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
});
afterAll(() => server.close());

const readHistory = async (id: string) => (await server.client.listExperimentPulseLoads({ path: { id } })).data;

describe("every day", () => {
  const loadDue = () => dailyLoads.run(pulse.env());
  const nextDay = () => {
    server.clock.now = Math.floor(server.clock.now / DAY_MS) * DAY_MS + DAY_MS;
  };

  test("running experiments are loaded once, at the hour that they name, however many replicas there are", async () => {
    const id = await pulse.experiment("every day", { primaryMetrics: [REVENUE], scheduledReloadHour: 3 });
    const paused = await pulse.experiment("in setup every day", { status: "setup" });
    nextDay();
    await loadDue();
    expect(await readHistory(id)).toEqual([]);
    server.clock.now += 3 * HOUR_MS;
    await Promise.all([loadDue(), loadDue()]);
    await pulse.run();
    await loadDue();
    expect(await readHistory(id)).toMatchObject([{ creatorName: null, createdTime: server.clock.now, finishedState: "success" }]);
    expect(await readHistory(paused)).toEqual([]);
    nextDay();
    server.clock.now += 3 * HOUR_MS;
    await loadDue();
    await pulse.run();
    expect(await readHistory(id)).toHaveLength(2);
  });

  test("an experiment that ended is loaded once more, in full, up to its end, and none that ended a week ago", async () => {
    nextDay();
    const id = await pulse.experiment("ended", { primaryMetrics: [REVENUE], scheduledReloadType: "incremental" });
    await loadDue();
    await pulse.run();
    const old = await pulse.experiment("ended long ago", { primaryMetrics: [REVENUE] });
    await server.client.abandonExperiment({ path: { id: old }, body: {} });
    server.clock.now += 7 * DAY_MS + 1;
    await server.client.abandonExperiment({ path: { id }, body: {} });
    const end = server.clock.now;
    server.clock.now += HOUR_MS;
    await Promise.all([loadDue(), loadDue()]);
    await pulse.run();
    await loadDue();
    const history = await readHistory(id);
    expect(history).toHaveLength(2);
    expect(history[0]).toMatchObject({ creatorName: null, createdTime: end + HOUR_MS, reloadType: "full", finishedState: "success" });
    expect((await pulse.results(id)).ds).toBe(new Date(end - 1).toISOString().slice(0, 10));
    expect(await readHistory(old)).toEqual([]);
  });

  test("an experiment is loaded on the days of the week that it names only", async () => {
    nextDay();
    const today = new Date(server.clock.now).getUTCDay();
    const id = await pulse.experiment("weekly", {
      primaryMetrics: [REVENUE],
      scheduledReloadDays: [(today + 1) % 7],
      scheduledReloadType: "incremental",
    });
    await loadDue();
    expect(await readHistory(id)).toEqual([]);
    nextDay();
    await loadDue();
    expect(await readHistory(id)).toMatchObject([{ reloadType: "incremental" }]);
    await pulse.run();
  });
});
