import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Who enters an experiment: the units of its groups, in production, from the start on.

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
});
afterAll(() => server.close());

const MINUTE_MS = 60 * 1000;
let made = 0;

/** An experiment that measures purchases and has started a minute ago. */
async function begin(given: object = {}) {
  made += 1;
  const name = `enrollment ${made}`;
  const { type } = await pulse.metric(name);
  const id = await pulse.experiment(name, { primaryMetrics: [{ name, type }], ...given });
  const startTime = server.clock.now;
  server.clock.now += MINUTE_MS;
  return { id, path: { id }, startTime };
}

type Seen = { unit?: string; group?: string; time?: number; environment?: string; user?: object };

const exposure = (id: string, { unit = "u", group = "control", time = server.clock.now, environment = "production", user }: Seen) => ({
  eventName: "statsig::config_exposure",
  user: user ?? { userID: unit, statsigEnvironment: { tier: environment } },
  metadata: { config: id, ruleID: group },
  time,
});

/** Logs exposures, each in a batch of its own. */
async function see(id: string, ...exposures: Seen[]) {
  for (const one of exposures) await server.evaluation.logEvent({ body: { events: [exposure(id, one)] } });
}

/** Units `prefix 0`, `prefix 1` and so on. */
const several = (count: number, prefix: string, seen: Seen = {}): Seen[] =>
  Array.from({ length: count }, (_, index) => ({ unit: `${prefix} ${index}`, ...seen }));

/** The units of both groups in the chart of exposures, and in results. */
async function count(id: string) {
  const chart = (await server.client.getExperimentCumulativeExposures({ path: { id } })).data;
  server.clock.now += MINUTE_MS;
  await pulse.load(id);
  const { primaryMetrics } = await pulse.results(id);
  const [{ controlUnits = 0, testUnits = 0 } = {}] = primaryMetrics;
  return { chart: chart.map(({ results }) => results.at(-1)?.exposures ?? 0), results: [controlUnits, testUnits] };
}

describe("the environment of an exposure", () => {
  test.each([
    ["before", false],
    ["after", true],
  ])("a unit that saw a group in staging earlier counts in production, if staging arrives %s it", async (_, isLater) => {
    const { id } = await begin();
    const time = server.clock.now;
    const staging = several(5, "u", { environment: "staging", time: time - 1_000 });
    const production = several(5, "u", { time });
    await see(
      id,
      ...(isLater ? [...production, ...staging] : [...staging, ...production]),
      ...several(3, "tester", { environment: "staging" }),
    );
    expect(await count(id)).toEqual({ chart: [5, 0], results: [5, 0] });
  });

  test("a unit in two groups of different environments is in one group of production", async () => {
    const { id } = await begin();
    await see(id, { unit: "a" }, { unit: "a", group: "test", environment: "staging" });
    expect(await count(id)).toEqual({ chart: [1, 0], results: [1, 0] });
  });

  test("a unit that two production environments know counts once in results and in health", async () => {
    const { id, path } = await begin();
    await see(id, { unit: "a" }, { unit: "a", user: { userID: "a" } });
    expect((await count(id)).results).toEqual([1, 0]);
    const { healthChecks } = (await server.client.getExperiment({ path })).data;
    expect(healthChecks[0]?.description).toBe("1 unit has seen a group.");
    expect(healthChecks.find(({ type }) => type === "has_crossover")?.metadata?.crossoverPercent).toBe(0);
  });
});
