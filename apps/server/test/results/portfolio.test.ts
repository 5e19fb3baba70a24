import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { covariance, mean } from "../support/independent-statistics.ts";
import { DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
});
afterAll(() => server.close());

const UNITS = 40;
/** The value of a unit of each group, by the added effect. */
const values = (seed: number, effect: number) => Array.from({ length: UNITS }, (_, index) => 20 + ((index * 7 + seed * 3) % 11) + effect);

/** How many percent more the test group has, with the error of the ratio by the delta method. */
function measure(seed: number, effect: number): { change: number; standardError: number } {
  const [control, tested] = [values(seed, 0), values(seed + 1, effect)];
  const [c, t] = [mean(control), mean(tested)];
  const [vc, vt] = [covariance(control, control) / UNITS, covariance(tested, tested) / UNITS];
  return { change: 100 * (t / c - 1), standardError: 100 * Math.sqrt(vt / c ** 2 + (t ** 2 * vc) / c ** 4) };
}

/** The variance between effects by Paule and Mandel's iteration, and their mean. */
function pauleMandel(effects: readonly ReturnType<typeof measure>[]): { mean: number; variance: number } {
  let [variance, middle] = [0, 0];
  for (let round = 0; round < 500; round++) {
    const weights = effects.map(({ standardError }) => 1 / (variance + standardError ** 2));
    const sum = (of: (index: number) => number) => weights.reduce((total, weight, index) => total + weight * of(index), 0);
    middle = sum((index) => effects[index]?.change ?? 0) / sum(() => 1);
    const squares = (index: number) => ((effects[index]?.change ?? 0) - middle) ** 2;
    const slope = weights.reduce((total, weight, index) => total + weight ** 2 * squares(index), 0);
    variance = Math.max(0, variance + (sum(squares) - (effects.length - 1)) / slope);
  }
  return { mean: middle, variance };
}

describe("getExperimentPortfolio", () => {
  const EFFECTS = [6, 0.5, -1];
  const ids: string[] = [];
  let teamID: string;
  beforeAll(async () => {
    teamID = (await server.client.createTeam({ body: { name: "Checkout" } })).data.id;
    for (const [index, effect] of EFFECTS.entries()) {
      const id = await pulse.experiment(`decided ${index}`, {
        primaryMetrics: [{ name: "Revenue", type: "sum" }],
        ...(index === 0 && { teamID }),
      });
      ids.push(id);
      const time = server.clock.now + HOUR_MS;
      server.clock.now += DAY_MS;
      const units = [values(index, 0), values(index + 1, effect)].flatMap((all, group) =>
        all.map((value, unit) => ({
          ...{ unit: `${index} ${group} ${unit}`, group: group === 0 ? "control" : "test" },
          purchases: [{ value, afterMs: 60_000 }],
        })),
      );
      await pulse.log(id, units, time);
      await pulse.load(id);
      const path = { id };
      if (index === 2) await server.client.abandonExperiment({ path, body: { decisionReason: "It hurts." } });
      else
        await server.client.makeExperimentDecision({ path, body: { id: index === 0 ? "test" : "control", decisionReason: "Measured." } });
    }
    await pulse.experiment("running", { primaryMetrics: [{ name: "Revenue", type: "sum" }] });
  });

  const read = async (query = {}) => (await server.client.getExperimentPortfolio({ query })).data;

  test("counts what was decided, shipped and won by quarter and team, the last decided first", async () => {
    const { experiments, quarters, moreExperiments } = await read();
    const readQuarter = (time: number) => `${new Date(time).getUTCFullYear()}-Q${Math.floor(new Date(time).getUTCMonth() / 3) + 1}`;
    const expected = (index: number, shipped: boolean) => ({
      ...{ experimentID: ids[index], experimentName: `decided ${index}`, teamID: index === 0 ? teamID : null, groupID: "test" },
      ...{
        decidedTime: expect.any(Number),
        quarter: readQuarter(experiments[2 - index]?.decidedTime ?? 0),
        isShipped: shipped,
        isWin: shipped,
      },
    });
    expect(experiments).toEqual([expected(2, false), expected(1, false), expected(0, true)]);
    expect(moreExperiments).toBe(0);
    expect(quarters.reduce((sum, { decided }) => sum + decided, 0)).toBe(3);
    expect(quarters.filter((one) => one.teamID === teamID)).toEqual([
      { quarter: experiments[2]?.quarter, teamID, decided: 1, shipped: 1, wins: 1, winRate: 1 },
    ]);
  });

  test("shrinks the changes of a metric towards their mean, and adds up those of shipped experiments, as an independent computation does", async () => {
    const [metric, ...others] = (await read()).metrics;
    expect([metric?.metricID, metric?.directionality, others]).toEqual(["Revenue::sum", "increase", []]);
    const measured = [2, 1, 0].map((index) => measure(index, EFFECTS[index] ?? 0));
    const prior = pauleMandel(measured);
    expect(metric?.mean).toBeCloseTo(prior.mean, 8);
    expect(metric?.deviation).toBeCloseTo(Math.sqrt(prior.variance), 8);
    for (const [index, { change, standardError }] of measured.entries()) {
      const weight = prior.variance / (prior.variance + standardError ** 2);
      expect(metric?.effects[index]).toEqual({
        ...{ experimentID: ids[2 - index], isShipped: index === 2 },
        ...{ change: expect.closeTo(change, 9), standardError: expect.closeTo(standardError, 9) },
        ...{ shrunkenChange: expect.closeTo(prior.mean + weight * (change - prior.mean), 8) },
        shrunkenError: expect.closeTo(Math.sqrt(weight) * standardError, 8),
      });
    }
    const { change, shrunkenChange, shrunkenError } = metric?.effects[2] ?? {};
    expect(metric?.cumulative).toEqual({ experiments: 1, change, shrunkenChange, shrunkenError: expect.closeTo(shrunkenError ?? 0, 12) });
  });

  test("has the experiments of one team, whose single effects are not shrunk", async () => {
    const { experiments, metrics } = await read({ teamID });
    expect([experiments.map(({ experimentID }) => experimentID), metrics]).toEqual([[ids[0]], []]);
  });
});
