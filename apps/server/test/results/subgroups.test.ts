import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buying, type Divided, dividedOn } from "../support/divided.ts";
import { type Buyer, pulseOn } from "../support/pulse.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let loaded: Divided["loaded"];
beforeAll(async () => {
  server = await startServer();
  ({ loaded } = await dividedOn(server));
});
afterAll(() => server.close());

type Query = Partial<NonNullable<Parameters<TestServer["client"]["getExperimentSubgroups"]>[0]>["query"]>;
const read = async (id: string, query: Query = {}) =>
  (await server.client.getExperimentSubgroups({ path: { id }, query: { control: "control", test: "test", cuped: false, ...query } })).data;

/** Buyers whose values vary around a number, as in the computation of the expected values with scipy 1.17 and statsmodels 0.15. */
const around = (group: string, fields: object, count: number, base: number): Buyer[] =>
  buying(
    group,
    Array.from({ length: count }, (_, index) => base + ((7 * index) % 10)),
    fields,
  );

const free = { custom: { plan: "free" } };
const pro = { custom: { plan: "pro" } };
/** Each country buys more in the test group, which has fewer units of the country that buys most. */
const PARADOX = [
  ...around("control", { country: "NO", ...pro }, 6, 10),
  ...around("control", { country: "NO", ...free }, 6, 10),
  ...around("test", { country: "NO", ...pro }, 20, 18),
  ...around("test", { country: "NO", ...free }, 20, 11),
  ...around("control", { country: "CH", ...pro }, 20, 40),
  ...around("control", { country: "CH", ...free }, 20, 40),
  ...around("test", { country: "CH", ...pro }, 6, 48),
  ...around("test", { country: "CH", ...free }, 6, 41),
];
/** Norway buys more in the test group. */
const ONE_COUNTRY = [
  ...around("control", { country: "NO" }, 20, 10),
  ...around("test", { country: "NO" }, 20, 18),
  ...around("control", { country: "CH" }, 20, 10),
  ...around("test", { country: "CH" }, 20, 10.5),
];

const close = (value: number) => expect.closeTo(value, 10);

/** Their results by country. */
const HETEROGENEOUS = {
  standsOut: "heterogeneity",
  total: { absoluteChange: 4.25, pValue: close(9.784697412620225e-6), isSignificant: true },
  heterogeneity: {
    ...{ values: 2, q: close(32.38636363636363), iSquared: close(0.9691228070175438), isSignificant: true },
    ...{ pValue: close(2.2493952684071165e-7), adjustedPValue: close(2.2493952684071165e-7) },
  },
  subgroups: [
    { dimension_value: "CH", adjustedPValue: close(0.5947105483391685), metric: { isSignificant: false, absoluteChange: 0.5 } },
    { dimension_value: "NO", adjustedPValue: close(3.964440690140638e-10), metric: { isSignificant: true, absoluteChange: 8 } },
  ],
};

describe("getExperimentSubgroups", () => {
  let paradox: string;
  beforeAll(async () => {
    paradox = await loaded("paradox", PARADOX, { secondaryMetrics: [] });
  });

  test("says first where the values contradict all units, with p-values corrected over all rows", async () => {
    const { rows, comparisons, left, matchesLoad, correction, ds } = await read(paradox);
    expect([comparisons, left, matchesLoad, correction, ds]).toEqual([4, [], true, "holm", "2025-11-22"]);
    const [country, plan] = rows;
    expect(country).toMatchObject({
      ...{ dimension: "country", standsOut: "contradiction" },
      total: { absoluteChange: close(-11.653846153846153), pValue: close(2.1244350994560594e-5), isSignificant: true },
      contradiction: { values: 2, unitShare: 1 },
      heterogeneity: {
        ...{ values: 2, q: close(0.13105739489059576), iSquared: 0, isSignificant: false },
        ...{ pValue: close(0.7198853309947056), adjustedPValue: close(0.7198853309947056) },
      },
      subgroups: [
        {
          ...{ dimension_value: "CH", kind: "value", adjustedPValue: close(0.0249517722405919) },
          metric: { pValue: close(0.01247588612029595), isSignificant: true, alpha: close(0.05), absoluteChange: close(4.166666666666664) },
        },
        { dimension_value: "NO", adjustedPValue: close(0.0006688360200770445), metric: { absoluteChange: close(4.833333333333334) } },
      ],
    });
    expect(plan).toMatchObject({
      ...{ dimension: "custom.plan", standsOut: "nothing" },
      heterogeneity: {
        ...{ q: close(1.822002200220022), iSquared: close(0.4511532423620336) },
        ...{ pValue: close(0.18012411817528054), adjustedPValue: close(0.3602482363505611) },
      },
      subgroups: [{ adjustedPValue: close(0.0005465633969955943) }, { adjustedPValue: close(0.03072571614673061) }],
    });
    expect(plan?.contradiction).toBeUndefined();
  });

  test("corrects by Benjamini and Hochberg on request", async () => {
    const { rows } = await read(paradox, { correction: "benjaminiHochberg" });
    expect(rows[0]?.subgroups.map(({ adjustedPValue }) => adjustedPValue)).toEqual([
      close(0.016634514827061266),
      close(0.00044589068005136304),
    ]);
  });

  test("shows effects that differ between values, and has no verdict on them before the planned end of a sequential experiment", async () => {
    const id = await loaded("one country", ONE_COUNTRY, { secondaryMetrics: [] });
    const [row] = (await read(id)).rows;
    expect(row).toMatchObject(HETEROGENEOUS);
    const early = await loaded("one country early", ONE_COUNTRY, { secondaryMetrics: [], sequentialTesting: true });
    const [sequential] = (await read(early)).rows;
    expect(sequential?.subgroups[0]?.metric.verdict?.test).toBe("sequential");
    expect(sequential?.heterogeneity).toEqual({
      ...{ values: 2, q: expect.any(Number), iSquared: expect.any(Number), pValue: expect.any(Number), adjustedPValue: expect.any(Number) },
      reason: "The test holds for one look, at the planned end.",
    });
  });

  test("has no test of effects with fewer than two values that have enough units", async () => {
    const few = [
      ...ONE_COUNTRY.filter(({ fields }) => JSON.stringify(fields).includes("NO")),
      ...buying("control", [1, 2], { country: "CH" }),
    ];
    const [row] = (await read(await loaded("few", few, { secondaryMetrics: [] }))).rows;
    expect([row?.dimension, row?.heterogeneity]).toEqual(["country", { reason: "Fewer than two values have enough data." }]);
    expect(row?.subgroups[1]).not.toHaveProperty("adjustedPValue");
  });

  test("compares two-sided by p-values, whatever decides the experiment and its metrics", async () => {
    const given = { analyticsType: "bayesian", secondaryMetrics: [] };
    const [bayesian] = (await read(await loaded("Bayesian", ONE_COUNTRY, given))).rows;
    expect(bayesian).toMatchObject(HETEROGENEOUS);
    const primaryMetrics = [{ name: "Revenue", type: "sum", testType: "non_inferiority", nonInferiorityMargin: 5 }];
    const [margin] = (await read(await loaded("with a margin", ONE_COUNTRY, { primaryMetrics, secondaryMetrics: [] }))).rows;
    expect(margin).toMatchObject(HETEROGENEOUS);
  });

  test("computes all metrics, ratios too, and lists those that it cannot", async () => {
    const many = ["control", "test"].flatMap((group) => ["NO", "CH"].flatMap((country) => around(group, { country }, 40, 10)));
    const id = await loaded("several metrics", many);
    const { rows, left, comparisons } = await read(id);
    expect(rows.map(({ total: { metricID }, dimension }) => [metricID, dimension])).toEqual([
      ["Revenue::sum", "country"],
      ["Price::mean", "country"],
      ["Changing::sum", "country"],
    ]);
    expect(comparisons).toBe(6);
    expect(left).toEqual([{ metricID: "Median::user_warehouse", reason: expect.stringMatching(/\.$/) }]);
  });

  test("begins with the dimensions of the experiment, and takes those that a request names alone", async () => {
    const primaryMetrics = [{ name: "Revenue", type: "sum" }];
    const preComputedUserDimensions = [{ name: "plan" }, { name: "plan", propertySource: "shops" }, { name: "locale" }];
    const id = await loaded("with dimensions", PARADOX, { primaryMetrics, secondaryMetrics: [], preComputedUserDimensions });
    const { rows, left } = await read(id);
    expect(rows.map(({ dimension }) => dimension)).toEqual(["country", "custom.plan"]);
    expect(left).toEqual([
      { dimension: "property.shops.plan", reason: expect.stringMatching(/\.$/) },
      { dimension: "locale", reason: "No unit has a value of it." },
    ]);
    expect((await read(id, { dimensions: ["custom.plan"] })).rows.map(({ dimension }) => dimension)).toEqual(["custom.plan"]);
  });

  test("computes the first 20 metrics", async () => {
    const names = Array.from({ length: 21 }, (_, index) => `Metric ${index}`);
    await Promise.all(names.map((name) => pulseOn(server).metric(name)));
    const primaryMetrics = names.map((name) => ({ name, type: "sum" }));
    const { rows, left } = await read(await loaded("many metrics", ONE_COUNTRY, { primaryMetrics, secondaryMetrics: [] }));
    expect(new Set(rows.map(({ total: { metricID } }) => metricID)).size).toBe(20);
    const reason = "At most 20 metrics are computed by dimension. List it before others in the experiment.";
    expect(left).toEqual([{ metricID: "Metric 20::sum", reason }]);
  });

  test("returns no rows before the first load, and 400 for fields that users don't have and other groups", async () => {
    const unstarted = await pulseOn(server).experiment("not yet", { status: "setup", primaryMetrics: [{ name: "Revenue", type: "sum" }] });
    expect(await read(unstarted)).toEqual({
      ...{ ds: expect.any(String), timeZone: "UTC", correction: "holm", comparisons: 0, rows: [] },
      left: [{ metricID: "Revenue::sum", reason: "No results update has computed this metric yet." }],
    });
    expect(await refusal(read(paradox, { dimensions: ["Country"] }))).toMatchObject({ status: 400 });
    expect(await refusal(read(paradox, { control: "nobody" }))).toEqual(
      invalid(["control", "is no group of the experiment. Its groups are control, test"]),
    );
  });
});
