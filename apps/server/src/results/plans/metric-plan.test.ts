import type { WritableSchema } from "@gatehouse/contract/console";
import { expect, test } from "vitest";
import { newMetric } from "../../console/metrics/metric.ts";
import { planAnywhere, planMetric } from "./metric-plan.ts";
import type { Plan } from "./plan.ts";

const isNumber = { condition: ">=" as const, values: [String(-Number.MAX_VALUE)] };

const DAY_MS = 86_400_000;
const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "createMetric", now: 1 };
const metric = (given: Omit<WritableSchema<"MetricCreate">, "name">, name = "metric") => newMetric({ name, ...given }, context);

const always = { from: 0, to: null };
const buys = { event: "buy", criteria: [], number: { of: "one" } };
const amounts = { event: "buy", criteria: [], number: { of: "value" } };
const amount = (...terms: object[]) => ({ terms, bounds: {} });

test("counts, sums and participation have one amount for each unit", () => {
  expect(planMetric(metric({ type: "event_count_custom", metricEvents: [{ name: "buy" }] }))).toEqual({
    numerator: amount({ sources: [buys], fold: { by: "sum" }, span: always }),
    waitsForSpan: false,
    preMs: 7 * DAY_MS,
  });
  expect(planMetric(metric({ type: "sum", metricEvents: [{ name: "buy" }] }))).toMatchObject({
    numerator: amount({ sources: [amounts], fold: { by: "sum" }, span: always }),
  });
  const week = { rollupTimeWindow: "custom" as const, customRollUpStart: 0, customRollUpEnd: 6 };
  expect(planMetric(metric({ type: "event_user", metricEvents: [{ name: "buy" }], ...week }))).toMatchObject({
    numerator: amount({ sources: [buys], fold: { by: "any" }, span: { from: 0, to: 7 * DAY_MS } }),
  });
});

test("a mean is divided by the events that have a number, and a ratio by its second event", () => {
  const having = (criterion: object) => amount({ sources: [{ ...buys, criteria: [criterion] }], fold: { by: "sum" }, span: always });
  expect(planMetric(metric({ type: "mean", metricEvents: [{ name: "buy" }] }))).toMatchObject({
    denominator: having({ type: "value", ...isNumber }),
  });
  const byKey = { name: "buy", type: "metadata" as const, metadataKey: "items" };
  expect(planMetric(metric({ type: "mean", metricEvents: [byKey] }))).toMatchObject({
    denominator: having({ type: "metadata", column: "items", ...isNumber }),
  });
  expect(planMetric(metric({ type: "ratio", metricEvents: [{ name: "buy", type: "value" }, { name: "view" }] }))).toMatchObject({
    numerator: amount({ sources: [amounts], fold: { by: "sum" }, span: always }),
    denominator: amount({ sources: [{ ...buys, event: "view" }], fold: { by: "sum" }, span: always }),
  });
});

test("a composite adds up its components, each with its own definition, or says which does not exist", () => {
  const component = metric({ type: "event_user", metricEvents: [{ name: "buy" }] }, "Buyers");
  const named = (name: string) => ({ name, type: "event_user" });
  const composite = metric({ type: "composite", metricComponentMetrics: [named("Buyers"), named("Viewers")] });
  const viewers = metric({ type: "event_user", metricEvents: [{ name: "view" }] }, "Viewers");
  const components = new Map([component, viewers].map((one) => [one.id, one]));
  expect((planMetric(composite, components) as Plan).numerator.terms.map(({ sources }) => sources[0])).toMatchObject([
    { event: "buy" },
    { event: "view" },
  ]);
  components.delete(viewers.id);
  expect(planMetric(composite, components)).toEqual({ reason: "The metric Viewers of type event_user does not exist." });
});

test("a metric of type user_warehouse has the bounds, the cap, the threshold and the windows that it names", () => {
  const warehouseNative = {
    ...{ aggregation: "sum" as const, cap: 5, valueThreshold: 20, winsorizationHigh: 0.999, cupedAttributionWindow: 14 },
    ...{ rollupTimeWindow: "custom" as const, customRollUpStart: 1, customRollUpEnd: 1, waitForCohortWindow: true },
  };
  expect(planMetric(metric({ type: "user_warehouse", metricEvents: [{ name: "buy" }], warehouseNative }))).toEqual({
    numerator: {
      terms: [{ sources: [amounts], fold: { by: "sum" }, span: { from: DAY_MS, to: 2 * DAY_MS }, cap: 5, threshold: 20 }],
      bounds: { high: 0.999 },
    },
    waitsForSpan: true,
    preMs: 14 * DAY_MS,
  });
});

test("a share of days divides the days with an event by the days since the first exposure", () => {
  const expected = {
    numerator: amount({ sources: [buys], fold: { by: "days" }, span: always }),
    denominator: amount({ sources: [{ marks: "day" }], fold: { by: "sum" }, span: always }),
  };
  const events = { metricEvents: [{ name: "buy" }] };
  expect(planMetric(metric({ type: "event_user", ...events, rollupTimeWindow: "daily_participation_rate" }))).toMatchObject(expected);
  const warehouseNative = { aggregation: "daily_participation" as const };
  expect(planMetric(metric({ type: "user_warehouse", ...events, warehouseNative }))).toMatchObject(expected);
});

test("a composite of shares of days says that they cannot be added up", () => {
  const shares = ["Buying", "Viewing"].map((name) =>
    metric({ type: "event_user", metricEvents: [{ name: "buy" }], rollupTimeWindow: "daily_participation_rate" }, name),
  );
  const composite = metric({ type: "composite", metricComponentMetrics: shares.map(({ name, type }) => ({ name, type })) });
  expect(planMetric(composite, new Map(shares.map((one) => [one.id, one])))).toEqual({
    reason: "The metric Buying is a share of days, which cannot be added up.",
  });
});

test("a funnel divides the units that complete its steps by those that begin them, and reads the events of metrics", () => {
  const buyers = metric({ type: "event_user", metricEvents: [{ name: "buy" }, { name: "order" }] }, "Buyers");
  const funnel = metric({
    type: "funnel",
    funnelEventList: [
      { name: "view", type: "event_dau" },
      { name: "Buyers", type: "event_user" },
    ],
  });
  const steps = [[{ ...buys, event: "view" }], [buys, { ...buys, event: "order" }]];
  const of = { steps, span: always, withinMs: null, isStrict: false };
  expect(planMetric(funnel, new Map([[buyers.id, buyers]]))).toMatchObject({
    numerator: amount({ sources: [{ marks: "completion", of }], fold: { by: "any" }, span: always }),
    denominator: amount({ sources: [{ marks: "start", of }], fold: { by: "any" }, span: always }),
  });
  expect(planMetric(funnel)).toEqual({ reason: "The metric Buyers of type event_user does not exist." });
});

test.each([{ funnelStartCriteria: "exposure" as const }, { funnelUseExposureAsFirstEvent: true }])(
  "a funnel that begins with the exposure has no denominator: %j",
  (begins) => {
    const warehouseNative = {
      ...{ aggregation: "funnel" as const, ...begins, funnelCalculationWindow: 2, funnelStrictOrdering: true },
      funnelEvents: [{ name: "view" }, { name: "buy" }],
    };
    const steps = [[{ ...buys, event: "view" }], [buys]];
    const of = { steps, span: always, withinMs: 2 * DAY_MS, isStrict: true };
    const plan = planMetric(metric({ type: "user_warehouse", warehouseNative }));
    expect(plan).toMatchObject({ numerator: amount({ sources: [{ marks: "completion", of }], fold: { by: "any" }, span: always }) });
    expect(plan).not.toHaveProperty("denominator");
  },
);

test("the two sides of a ratio have their own aggregations, windows and bounds", () => {
  const warehouseNative = {
    ...{ aggregation: "ratio" as const, numeratorAggregation: "max" as const, denominatorAggregation: "count" as const },
    ...{ winsorizationHigh: 0.99, winsorizationLowDenominator: 0.01 },
    ...{ denominatorRollupTimeWindow: "custom" as const, denominatorCustomRollupStart: 0, denominatorCustomRollupEnd: 1 },
  };
  const metricEvents = [{ name: "buy", type: "value" as const }, { name: "view" }];
  expect(planMetric(metric({ type: "user_warehouse", metricEvents, warehouseNative }))).toMatchObject({
    numerator: { terms: [{ sources: [amounts], fold: { by: "max" }, span: always }], bounds: { high: 0.99 } },
    denominator: {
      terms: [{ sources: [{ ...buys, event: "view" }], fold: { by: "sum" }, span: { from: 0, to: 2 * DAY_MS } }],
      bounds: { low: 0.01 },
    },
  });
});

test("retention divides the units that come back by those whose time to come back is over", () => {
  const warehouseNative = { aggregation: "retention" as const, retentionEnd: 14, retentionLength: 7 };
  const of = { step: [buys], span: always, fromMs: 8 * DAY_MS, toMs: 15 * DAY_MS };
  expect(planMetric(metric({ type: "user_warehouse", metricEvents: [{ name: "buy" }], warehouseNative }))).toMatchObject({
    numerator: amount({ sources: [{ marks: "returned", of }], fold: { by: "any" }, span: always }),
    denominator: amount({ sources: [{ marks: "due", of }], fold: { by: "any" }, span: always }),
  });
});

test("a percentile reads the numbers of events in its window, of units whose window is over if it waits for that", () => {
  const window = { rollupTimeWindow: "custom" as const, customRollUpStart: 0, customRollUpEnd: 6, waitForCohortWindow: true };
  const warehouseNative = { aggregation: "percentile" as const, percentile: 0.9, ...window };
  const slow = metric({ type: "user_warehouse", metricEvents: [{ name: "buy" }], warehouseNative });
  const span = { from: 0, to: 7 * DAY_MS };
  expect(planMetric(slow)).toEqual({ percentile: 0.9, sources: [amounts], span, waitsForSpan: true });
});

test("rows of a metric source are planned like events, with columns for metadata, and only for who asks the warehouse", () => {
  const warehouseNative = {
    ...{ aggregation: "sum" as const, metricSourceName: "orders", valueColumn: "total", cap: 10 },
    criteria: [
      { type: "value" as const, condition: ">" as const, values: ["1"] },
      { type: "metadata" as const, column: "city", condition: "=" as const, values: ["Oslo"] },
    ],
  };
  const sum = metric({ type: "user_warehouse", warehouseNative });
  const criteria = [
    { type: "metadata", column: "total", condition: ">", values: ["1"] },
    { type: "metadata", column: "city", condition: "=", values: ["Oslo"] },
  ];
  const rows = { event: "orders", criteria, number: { of: "metadata", key: "total" } };
  expect(planAnywhere(sum)).toMatchObject({
    ...{ from: "warehouse" },
    numerator: amount({ sources: [rows], fold: { by: "sum" }, span: always, cap: 10 }),
  });
  expect(planMetric(sum)).toEqual({
    reason:
      "Only loads, guardrails, alerts, previews, and results by dimension read the warehouse, which has the rows of its metric source.",
  });
});

test("the two sides of a ratio and the steps of a funnel each read their own metric source", () => {
  const ofRows = (warehouseNative: WritableSchema<"WarehouseNative">) => planAnywhere(metric({ type: "user_warehouse", warehouseNative }));
  const ratio = ofRows({
    ...{ aggregation: "ratio", metricSourceName: "orders", numeratorAggregation: "sum", valueColumn: "total" },
    ...{ denominatorAggregation: "count_distinct", denominatorMetricSourceName: "visits", denominatorValueColumn: "page" },
  });
  expect(ratio).toMatchObject({
    numerator: amount({ sources: [{ event: "orders", criteria: [], number: { of: "metadata", key: "total" } }] }),
    denominator: amount({
      sources: [{ event: "visits", criteria: [], number: { of: "one" } }],
      fold: { by: "distinct", key: "page" },
    }),
  });
  const steps = [
    { name: "Visits", metricSourceName: "visits" },
    { name: "Orders", metricSourceName: "orders" },
  ];
  const events = (name: string) => [{ event: name, criteria: [], number: { of: "one" } }];
  expect(ofRows({ aggregation: "funnel", funnelEvents: steps })).toMatchObject({
    ...{ from: "warehouse" },
    numerator: { terms: [{ sources: [{ of: { steps: [events("visits"), events("orders")] } }] }] },
  });
});

test("rows that no source can have say so", () => {
  const planWarehouse = (given: WritableSchema<"WarehouseNative">) =>
    planAnywhere(metric({ type: "user_warehouse", warehouseNative: given }));
  expect(
    planWarehouse({ aggregation: "funnel", funnelEvents: [{ name: "visit" }, { name: "Orders", metricSourceName: "orders" }] }),
  ).toEqual({
    reason: "Some of its steps are events and others rows of metric sources, which no database has together.",
  });
  const ofRows = (criterion: WritableSchema<"MetricCriterion">) =>
    planWarehouse({ aggregation: "count", metricSourceName: "orders", criteria: [criterion] });
  expect(ofRows({ type: "user", column: "country", condition: "is_null" })).toEqual({
    reason: "Its criteria read fields of users, which rows of a metric source do not have.",
  });
  expect(ofRows({ type: "value", condition: "is_null" })).toEqual({
    reason: "Its criteria compare the value, and it names no column that has it.",
  });
});
