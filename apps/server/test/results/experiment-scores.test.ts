import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { guardrailChecks } from "../../src/jobs/guardrail-checks.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Refunds", { directionality: "decrease", tags: ["money"] });
});
afterAll(() => server.close());

/** The mean purchase of each group. */
type Means = Readonly<Record<string, number>>;

const read = async (experiments: string[]) => (await server.client.getExperimentScores({ query: { experiments } })).data.experiments;

/** A started experiment of 2 days whose groups have bought. */
async function run(name: string, means: Means, given: object = {}): Promise<string> {
  const start = server.clock.now;
  const groups = Object.keys(means).map((id) => ({ id, name: id, size: 100 / Object.keys(means).length }));
  const id = await pulse.experiment(name, { groups, primaryMetrics: [{ name: "Revenue", type: "sum" }], duration: 2, ...given });
  server.clock.now = start + DAY_MS;
  const buyers = Object.entries(means).flatMap(([group, mean]) =>
    Array.from({ length: 100 }, (_, index) => ({
      ...{ unit: `${name} ${group} ${index}`, group },
      purchases: [{ value: mean + (index % 2 === 0 ? 2 : -2), afterMs: HOUR_MS }],
    })),
  );
  await pulse.log(id, buyers, start);
  await pulse.load(id);
  return id;
}

describe("getExperimentScores", () => {
  test("has the recommendation and the first primary metric that the results of each experiment have", async () => {
    const better = await run("better", { control: 10, green: 11, red: 9, blue: 10, gray: 10 }, { holmPerVariant: true });
    const sequential = await run("sequential", { control: 10, test: 11 }, { sequentialTesting: true });
    const harmful = await run(
      "harmful",
      { control: 10, test: 7 },
      { primaryMetrics: [{ name: "Revenue", type: "sum", guardrail: { maxHarmPercent: 1 } }], primaryMetricTags: ["money"] },
    );
    // The planned ends are over, so each of the three tests decides in its own way.
    server.clock.now += 3 * DAY_MS;
    for (const id of [better, sequential, harmful]) await pulse.load(id);
    await guardrailChecks.run(pulse.env());

    const scores = await read([sequential, better, harmful]);
    expect(scores.map(({ experimentID }) => experimentID)).toEqual([better, harmful, sequential]);
    expect(scores.map(({ groups }) => groups.map(({ recommendation }) => recommendation))).toEqual([
      ["ship", "dontShip", "dontShip", "dontShip"],
      ["dontShip"],
      ["ship"],
    ]);
    for (const { experimentID, groups } of scores)
      for (const { groupID, recommendation, primaryMetric } of groups) {
        const { scorecard, primaryMetrics } = await pulse.results(experimentID, { test: groupID });
        const { detection: _, ...first } = primaryMetrics[0] ?? { metricID: "" };
        expect({ recommendation, primaryMetric }).toEqual({ recommendation: scorecard?.recommendation, primaryMetric: first });
      }
  });

  test("leaves out what does not exist in the project, the groups of experiments that have not started, and groups after the first ten", async () => {
    const { data: waiting } = await server.client.createExperiment({ body: { name: "waiting" } });
    const means = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`group ${index}`, 10]));
    const many = await run("many", means, { controlGroupID: "group 1", primaryMetrics: [] });
    const scores = await read([many, "missing", waiting.id]);
    expect(scores).toEqual([
      {
        experimentID: many,
        groups: [0, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((index) => ({ groupID: `group ${index}`, recommendation: "keepRunning" })),
      },
      { experimentID: waiting.id, groups: [] },
    ]);
    expect(await read([])).toEqual([]);
    const headers = { "SERVICE-API-KEY": await makeOtherProject(server) };
    const { body } = await server.send("GET", `/console/v1/experiment_scores?experiments=${many}`, { headers });
    expect(body.data).toEqual({ experiments: [] });
  });
});
