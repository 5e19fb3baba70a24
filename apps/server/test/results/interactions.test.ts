import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { covariance, mean, studentCritical, studentP } from "../support/independent-statistics.ts";
import { seededRandom } from "../support/moments.ts";
import { type Buyer, DAY_MS, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  await pulse.metric("Revenue");
  await pulse.metric("Price", { type: "mean" });
});
afterAll(() => server.close());

const NAMED = [
  { name: "Revenue", type: "sum" },
  { name: "Price", type: "mean" },
];

type Unit = Buyer & { other: string };

/** Units of both experiments. Those in both test groups buy less than the sum of both effects. */
const UNITS: Unit[] = (() => {
  const random = seededRandom(31);
  return Array.from({ length: 720 }, (_, index) => {
    const [group, other] = [random() < 0.5 ? "control" : "test", random() < 0.4 ? "control" : random() < 0.6 ? "test" : "third"];
    const typical = 20 + (group === "test" ? 8 : 0) + (other === "test" ? 6 : 0) - (group === "test" && other === "test" ? 14 : 0);
    const purchases = Array.from({ length: Math.floor(random() * 3) }, (__, at) => ({
      value: Math.round(typical * (50 + 100 * random())) / 100,
      afterMs: (at + 1) * 60_000,
    }));
    return { unit: `unit ${index}`, group, other, purchases };
  });
})();

const total = ({ purchases }: Unit) => purchases.reduce((sum, { value }) => sum + value, 0);
const inCell = (group: string, other: string) => UNITS.filter((unit) => unit.group === group && unit.other === other);

/** Mean, variance of the mean, and number of units. */
type Cell = { mean: number; error: number; n: number };

const valueCell = (units: readonly Unit[]): Cell => {
  const values = units.map(total);
  return { mean: mean(values), error: covariance(values, values) / values.length, n: values.length };
};

const priceCell = (units: readonly Unit[]): Cell => {
  const buyers = units.filter(({ purchases }) => purchases.length > 0);
  const [y, d] = [buyers.map(total), buyers.map(({ purchases }) => purchases.length)];
  const price = mean(y) / mean(d);
  const residuals = y.map((value, index) => (value - price * (d[index] ?? 0)) / mean(d));
  return { mean: price, error: covariance(residuals, residuals) / buyers.length, n: buyers.length };
};

function computeContrast(toCell: (units: readonly Unit[]) => Cell, other: string) {
  const cells = (
    [
      ["test", other],
      ["test", "control"],
      ["control", other],
      ["control", "control"],
    ] as const
  ).map(([group, one]) => toCell(inCell(group, one)));
  const [tt, tc, ct, cc] = cells as [Cell, Cell, Cell, Cell];
  const difference = tt.mean - tc.mean - (ct.mean - cc.mean);
  const variance = cells.reduce((sum, { error }) => sum + error, 0);
  const degrees = variance ** 2 / cells.reduce((sum, { error, n }) => sum + error ** 2 / (n - 1), 0);
  const reach = studentCritical(0.05, degrees) * Math.sqrt(variance);
  return {
    ...{ difference, standardError: Math.sqrt(variance), interval: [difference - reach, difference + reach] },
    pValue: studentP(difference / Math.sqrt(variance), degrees),
  };
}

const read = async (id: string, query = {}) => (await server.client.getExperimentInteractions({ path: { id }, query })).data;

describe("getExperimentInteractions", () => {
  let [id, other] = ["", ""];
  beforeAll(async () => {
    id = await pulse.experiment("first", { primaryMetrics: NAMED });
    const groups = ["control", "test", "third"].map((group) => ({ id: group, name: group, size: group === "third" ? 20 : 40 }));
    other = await pulse.experiment("second", { groups });
    await pulse.experiment("of companies", { idType: "companyID" });
    await pulse.experiment("idle");
    const time = server.clock.now + HOUR_MS;
    server.clock.now += DAY_MS;
    await pulse.log(
      id,
      [...UNITS, { unit: "in one", group: "test", purchases: [] }, { unit: "in several", group: "test", purchases: [] }],
      time,
    );
    const seen = UNITS.map(({ unit, other: group }) => ({ unit, group, purchases: [] }));
    const several = ["control", "third"].map((group) => ({ unit: "in several", group, purchases: [] }));
    await pulse.log(other, [...seen, ...several, { unit: "elsewhere", group: "test", purchases: [] }], time + 1);
    await pulse.load(id);
  });

  test("compares the effects among the units of each group of another experiment, as a computation from its units does", async () => {
    const { interactions, alpha } = await read(id, { otherID: other });
    expect([alpha, interactions.length]).toEqual([expect.closeTo(0.05, 12), 1]);
    const [interaction] = interactions;
    expect([interaction?.experimentID, interaction?.experimentName]).toEqual([other, "second"]);
    const pairs = ["control", "test"].flatMap((group) => ["control", "test", "third"].map((otherGroup) => [group, otherGroup] as const));
    expect(interaction?.units).toEqual(
      pairs.map(([groupID, otherGroupID]) => ({ groupID, otherGroupID, units: inCell(groupID, otherGroupID).length })),
    );
    for (const [index, toCell] of [valueCell, priceCell].entries()) {
      const metric = interaction?.metrics[index];
      expect(metric?.metricID).toBe(["Revenue::sum", "Price::mean"][index]);
      expect(metric?.cells).toEqual(
        pairs.map(([groupID, otherGroupID]) => {
          const { mean: value, error, n } = toCell(inCell(groupID, otherGroupID));
          return { groupID, otherGroupID, units: n, mean: expect.closeTo(value, 9), standardError: expect.closeTo(Math.sqrt(error), 9) };
        }),
      );
      for (const [at, otherGroupID] of ["test", "third"].entries()) {
        const { interval, ...numbers } = computeContrast(toCell, otherGroupID);
        const contrast = metric?.contrasts[at];
        expect([contrast?.groupID, contrast?.otherGroupID]).toEqual(["test", otherGroupID]);
        for (const [name, value] of Object.entries(numbers)) expect(contrast?.[name as keyof typeof numbers], name).toBeCloseTo(value, 9);
        expect(contrast?.interval).toEqual(interval.map((bound) => expect.closeTo(bound, 8)));
      }
    }
  });

  test("corrects all contrasts together, and tests whether the assignments are independent", async () => {
    const { interactions } = await read(id);
    const contrasts = interactions
      .flatMap(({ metrics }) => metrics.flatMap((metric) => metric.contrasts))
      .filter(({ reason }) => reason === undefined);
    const sorted = contrasts.map(({ pValue = 1 }) => pValue).sort((a, b) => a - b);
    let most = 0;
    const adjusted = sorted.map((p, rank) => (most = Math.max(most, Math.min(1, p * (sorted.length - rank)))));
    expect(contrasts.length).toBe(4);
    for (const { pValue = 1, adjustedPValue, isSignificant } of contrasts) {
      const expected = adjusted[sorted.indexOf(pValue)] ?? Number.NaN;
      expect([adjustedPValue, isSignificant]).toEqual([expect.closeTo(expected, 12), expected <= 0.05]);
    }
    expect(contrasts.some(({ isSignificant }) => isSignificant)).toBe(true);
    const table = ["control", "test"].map((group) => ["control", "test", "third"].map((one) => inCell(group, one).length));
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    const cells = table.flatMap((row) =>
      row.map((units, at) => ({ units, expected: (sum(row) * sum(table.map((one) => one[at] ?? 0))) / UNITS.length })),
    );
    const chiSquare = sum(cells.map(({ units, expected }) => (units - expected) ** 2 / expected));
    // With two degrees of freedom, the chi-square distribution is the exponential one.
    expect(interactions.find(({ experimentID }) => experimentID === other)?.independence).toEqual({
      ...{ chiSquare: expect.closeTo(chiSquare, 9), degreesOfFreedom: 2, pValue: expect.closeTo(Math.exp(-chiSquare / 2), 9) },
    });
  });

  test("names every experiment of the same units that ran at the time, and refuses others", async () => {
    const { interactions, moreExperiments } = await read(id);
    expect([interactions.map(({ experimentName }) => experimentName).sort(), moreExperiments]).toEqual([["idle", "second"], 0]);
    expect(interactions.find(({ experimentName }) => experimentName === "idle")?.metrics[0]?.contrasts[0]).toEqual({
      ...{ groupID: "test", otherGroupID: "test", reason: "A pair of groups has fewer than two units, which have no variance." },
    });
    const message = "names no experiment that logs exposures of userID at the same time";
    for (const otherID of ["of_companies", "nobody", id])
      expect(await refusal(read(id, { otherID }))).toEqual(invalid(["otherID", message]));
  });

  test("says why there are none", async () => {
    const fresh = await pulse.experiment("fresh", { primaryMetrics: NAMED });
    expect(await read(fresh)).toEqual({ interactions: [], reason: "No results update has computed the experiment yet." });
  });
});
