import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dividedOn } from "../support/divided.ts";
import { type Buyer, HOUR_MS, pulseOn } from "../support/pulse.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
let pulse: ReturnType<typeof pulseOn>;
let loaded: Awaited<ReturnType<typeof dividedOn>>["loaded"];
beforeAll(async () => {
  server = await startServer();
  pulse = pulseOn(server);
  ({ loaded } = await dividedOn(server));
  const metricEvents = [{ name: "buy", type: "value" }];
  await pulse.metric("Purchases", { type: "event_count_custom", metricEvents: [{ name: "buy" }] });
  await pulse.metric("Twice", { type: "event_count_custom", metricEvents: [{ name: "buy" }, { name: "buy" }] });
  await pulse.metric("Never", { type: "sum", metricEvents: [{ name: "never", type: "value" }] });
  const summed = (name: string, given: object) =>
    pulse.metric(name, { type: "user_warehouse", metricEvents, warehouseNative: { aggregation: "sum", ...given } });
  await summed("Winsorized", { winsorizationHigh: 0.95 });
  await summed("Long before", { cupedAttributionWindow: 14 });
  const window = { rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 0, waitForCohortWindow: true };
  await summed("Late", window);
  await summed("Late and winsorized", { ...window, winsorizationHigh: 0.95 });
});
afterAll(() => server.close());

/** Units that bought several times before, as in the computation of the expected values. */
const units = (group: string, count: number, lift: number, of = ""): Buyer[] =>
  Array.from({ length: count }, (_, index) => {
    const [times, value] = [(5 * index) % 4, 3 + ((7 * index) % 11)];
    const raised = group === "test" ? lift + times : 0;
    return {
      ...{ unit: `${of}${group} ${index}`, group },
      purchases: [
        { value: 10 + 2 * times * value + 5 * times + ((13 * index) % 17) + raised, afterMs: 60_000 },
        ...Array.from({ length: times }, (__, at) => ({ value, afterMs: -HOUR_MS * (at + 1) })),
      ],
    };
  });

/** Users of one experiment: purchases in another would be ones before. */
const buyers = (of: string): Buyer[] => [...units("control", 70, 0, of), ...units("test", 60, 4, of)];
const REVENUE = { name: "Revenue", type: "sum" };
const PURCHASES = { name: "Purchases", type: "event_count_custom" };
const close = (value: number) => expect.closeTo(value, 8);
const resultOf = async (id: string, query: object = {}, at = 0) => (await pulse.results(id, query)).primaryMetrics[at];
const adjusted = (cureCovariates: object[], given: object = {}) => ({ cureCovariates, secondaryMetrics: [], ...given });

describe("results adjusted by regression", () => {
  let id: string;
  beforeAll(async () => {
    id = await loaded("regression", buyers("1 "), adjusted([REVENUE, PURCHASES]));
  });

  test("are the treatment's coefficient in the interacted regression of statsmodels 0.15, in place of CUPED", async () => {
    expect(await resultOf(id)).toMatchObject({
      ...{ absoluteChange: close(5.312500716999139), pValue: close(2.059967831553631e-8) },
      ...{ controlMean: close(49.477424891006315), controlStd: close(0.604557291110043), isSignificant: true },
      cuped: { isUsed: false, reason: "Regression on the experiment's covariates replaces it." },
      adjustment: {
        ...{ method: "regression", isUsed: true, covariates: ["Revenue::sum", "Purchases::event_count_custom"] },
        varianceReduction: close(0.9680095346236512),
      },
    });
  });

  test("are plain means, or those of CUPED, on request", async () => {
    const plain = { absoluteChange: close(6.24285714285714), pValue: close(0.20937409685315583) };
    expect(await resultOf(id, { adjustment: false, cuped: false })).toMatchObject(plain);
    expect(await resultOf(id, { adjustment: false })).toMatchObject({ cuped: { isUsed: true } });
  });

  test("leave out covariates that can't be used, each with its reason", async () => {
    const Twice = { name: "Twice", type: "event_count_custom" };
    const covariates = [
      REVENUE,
      { name: "Never", type: "sum" },
      { name: "Price", type: "mean" },
      { name: "Long before", type: "user_warehouse" },
    ];
    const some = await loaded("some covariates", buyers("2 "), adjusted(covariates));
    expect(await resultOf(some)).toMatchObject({
      ...{ absoluteChange: close(5.291022329309982), pValue: close(3.044197353232825e-6) },
      adjustment: {
        covariates: ["Revenue::sum"],
        left: [
          { metricID: "Price::mean", reason: "A ratio of a unit may have no denominator." },
          {
            metricID: "Long before::user_warehouse",
            reason: "It's read from another source, or with another window before the exposure, than the compared metric.",
          },
          { metricID: "Never::sum", reason: "At most 5% of the units did anything before their first exposure." },
        ],
      },
    });
    const dependent = await loaded("dependent covariates", buyers("3 "), adjusted([REVENUE, PURCHASES, Twice]));
    expect(await resultOf(dependent)).toMatchObject({
      absoluteChange: close(5.312500716999139),
      adjustment: { left: [{ metricID: "Twice::event_count_custom", reason: expect.stringContaining("others determine it") }] },
    });
    const none = await loaded("no covariates", buyers("4 "), adjusted([{ name: "Never", type: "sum" }]));
    expect(await resultOf(none)).toMatchObject({
      cuped: { isUsed: true },
      adjustment: { isUsed: false, reason: "No covariate can be used.", left: [{ metricID: "Never::sum" }] },
    });
  });

  test("are of the amounts that results have: winsorized ones too, and those of units whose window is over", async () => {
    const names = ["Winsorized", "Late", "Late and winsorized"];
    const primaryMetrics = [...names.map((name) => ({ name, type: "user_warehouse" })), { name: "Price", type: "mean" }];
    const several = await loaded("several amounts", buyers("5 "), adjusted([REVENUE], { primaryMetrics }));
    expect((await resultOf(several, {}, 1))?.adjustment).toMatchObject({ isUsed: false, reason: "A group has no units yet." });
    server.clock.now += 2 * HOUR_MS;
    await pulse.load(several);
    const [winsorized, late, both, ratio] = (await pulse.results(several)).primaryMetrics;
    expect(winsorized?.adjustment).toMatchObject({ isUsed: true, covariates: ["Revenue::sum"] });
    // Its units have all their purchases within the window.
    expect(late).toMatchObject({
      absoluteChange: close(5.291022329309982),
      pValue: close(3.044197353232825e-6),
      adjustment: { isUsed: true },
    });
    expect(both?.adjustment?.reason).toBe("It can't adjust a metric that is winsorized and waits for its window.");
    expect(ratio?.adjustment).toMatchObject({ isUsed: false, reason: "It adjusts means, and this metric is a ratio." });
  });

  test("need 100 units, 20 in each group", async () => {
    const few = await loaded("few", [...units("control", 90, 0, "few "), ...units("test", 19, 4, "few ")], adjusted([REVENUE]));
    expect((await resultOf(few))?.adjustment).toEqual({
      ...{ method: "regression", isUsed: false },
      reason: "The two groups have 100 units or fewer in total, or one has fewer than 20.",
    });
  });

  test("are refused with post-stratification and sequential tests, and for more than five", async () => {
    const create = (body: object) => refusal(pulse.experiment("refused", { ...adjusted([REVENUE]), ...body }));
    const errors = (property: string, what: string) => ({ errors: [{ property, errorMessage: `cannot be combined with ${what}` }] });
    expect(await create({ postStratifyBy: "country" })).toMatchObject(errors("postStratifyBy", "cureCovariates: choose one of them"));
    expect(await create({ sequentialTesting: true })).toMatchObject(
      errors("cureCovariates", "sequentialTesting, whose verdicts need the results of earlier days"),
    );
    expect(await create({ analyticsType: "sprt" })).toMatchObject(
      errors("cureCovariates", "analyticsType sprt, whose verdicts need the results of earlier days"),
    );
    expect(await create({ cureCovariates: Array(6).fill(REVENUE) })).toMatchObject({ status: 400 });
  });
});
