import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedAt, movedTo, rowKey } from "../../entity/row-keys.ts";
import { conflictsIn, setFields } from "../../saving/draft-model.ts";
import { AGGREGATIONS, type Aggregation, PART_AGGREGATIONS, READ_BY, takenBy, type WarehouseNative } from "./aggregations.ts";
import { toPercent, toShare } from "./definition-words.ts";
import { computedBy, faultsOfDraft, fieldsOfComputed, metricModel, toPreviewRequest, toWriteRequests } from "./metric-draft.ts";
import type { Metric } from "./metric-words.ts";
import { type Computed, type Warehouse, warehouseDraft, withAggregation, withFields, withPart, withSource } from "./warehouse-draft.ts";

const CRITERION = { type: "metadata" as const, column: "country", condition: "in" as const, values: ["NO", ""] };
const CRITERIA = [CRITERION];
/** Every field of the contract with a value. */
const ALL: Required<Omit<WarehouseNative, "aggregation">> = {
  ...{ metricSourceName: "orders", criteria: CRITERIA, valueColumn: "amount", valueThreshold: 0.1 },
  ...{ rollupTimeWindow: "custom", customRollUpStart: 0, customRollUpEnd: 13, waitForCohortWindow: false },
  ...{ cupedAttributionWindow: 7, winsorizationLow: 0.01, winsorizationHigh: 0.123456789012, cap: 1e-9 },
  ...{ winsorizationLowDenominator: 0, winsorizationHighDenominator: 1, percentile: 0.95, retentionEnd: 7, retentionLength: 7 },
  ...{ numeratorAggregation: "sum", denominatorAggregation: "max", denominatorMetricSourceName: "visits" },
  ...{ denominatorCriteria: CRITERIA, denominatorValueColumn: "length", denominatorRollupTimeWindow: "max" },
  ...{ denominatorCustomRollupStart: 1, denominatorCustomRollupEnd: 2 },
  ...{
    funnelEvents: [
      { name: " seen ", criteria: CRITERIA },
      { name: "Orders", metricSourceName: "orders" },
    ],
  },
  ...{ funnelCalculationWindow: 3, funnelStartCriteria: "start_event", funnelStrictOrdering: false },
};
const AGGREGATION_NAMES = Object.keys(AGGREGATIONS) as Aggregation[];

/** The stored form of an aggregation with all the fields it reads. */
const buildStored = (aggregation: Aggregation): WarehouseNative => ({
  aggregation,
  ...Object.fromEntries(READ_BY[aggregation].map((field) => [field, ALL[field]])),
});

const createDraft = (warehouseNative: WarehouseNative, metricEvents: Metric["metricEvents"] = []) => {
  const entity = {
    ...{ id: "m::user_warehouse", name: "m", type: "user_warehouse", description: "", directionality: "increase", tags: [] },
    ...{ isVerified: false, isPermanent: false, rollupTimeWindow: "max", metricComponentMetrics: [], funnelEventList: [] },
    ...{ metricEvents, warehouseNative },
  } as unknown as Metric;
  const stored = { entity, etag: '"1"' };
  return metricModel.createDraft(stored, metricModel.storedParts(stored));
};
type Draft = ReturnType<typeof createDraft>;
const edited = (draft: Draft, edit: (computed: Computed) => Computed) => setFields(draft, fieldsOfComputed(edit(computedBy(draft.fields))));
const set = (draft: Draft, changed: Partial<Warehouse>) =>
  edited(draft, ({ events, warehouse }) => ({
    events,
    warehouse: withFields(warehouse, changed, warehouseDraft(draft.stored.entity.warehouseNative)),
  }));
const toBody = (draft: Draft) => toWriteRequests(draft)[0]?.body as Partial<Metric> | undefined;
const messages = (draft: Draft) => faultsOfDraft(draft).map(({ property, message }) => `${property}: ${message}`);

const BOUGHT: Metric["metricEvents"][number] = { name: "bought", type: "value" };

describe("a stored definition", () => {
  test.each(AGGREGATION_NAMES)("loses nothing by an edit of one field: %s", (aggregation) => {
    const stored = buildStored(aggregation);
    expect(toBody(createDraft(stored))).toBeUndefined();
    expect(toBody(set(createDraft(stored), { customRollUpEnd: 20 }))).toEqual({ warehouseNative: { ...stored, customRollUpEnd: 20 } });
    expect(toPreviewRequest(createDraft(stored))).toMatchObject({ type: "user_warehouse", warehouseNative: stored });
  });

  test("is the same with a field that says what leaving it out means", () => {
    const short = createDraft({ aggregation: "retention" }, [BOUGHT]);
    const usual = { rollupTimeWindow: "max", retentionEnd: 7, retentionLength: 7, cupedAttributionWindow: 7 } as const;
    expect(toBody(set(short, usual))).toBeUndefined();
    const long = createDraft({ aggregation: "retention", ...usual, waitForCohortWindow: false }, [BOUGHT]);
    expect(toBody(set(long, { retentionEnd: undefined, waitForCohortWindow: undefined, rollupTimeWindow: undefined }))).toBeUndefined();
    expect(toBody(set(long, { retentionEnd: 14 }))).toEqual({
      warehouseNative: { aggregation: "retention", ...usual, waitForCohortWindow: false, retentionEnd: 14 },
    });
  });
});

describe("another aggregation", () => {
  test.each(AGGREGATION_NAMES)("drops what it does not read: from %s to every other one", (before) => {
    for (const after of AGGREGATION_NAMES) {
      const { warehouseNative } = {
        ...createDraft(buildStored(before)).stored.entity,
        ...toBody(edited(createDraft(buildStored(before)), (of) => withAggregation(of, after))),
      };
      const read = Object.keys(warehouseNative ?? {}).filter((field) => field !== "aggregation");
      expect(
        read.filter((field) => !(READ_BY[after] as readonly string[]).includes(field)),
        `${before} to ${after}`,
      ).toEqual([]);
      expect(warehouseNative?.aggregation).toBe(after);
    }
  });

  test("has what it requires", () => {
    const sum = createDraft({ aggregation: "sum" }, [
      BOUGHT,
      { name: "sold", type: "value" },
      { name: "paid", type: "metadata", metadataKey: "sum" },
    ]);
    const to = (aggregation: Aggregation) => edited(sum, (computed) => withAggregation(computed, aggregation));
    expect(toBody(to("percentile"))).toEqual({ warehouseNative: { aggregation: "percentile", percentile: 0.5 } });
    expect(toBody(to("ratio"))).toEqual({
      metricEvents: [
        { name: "bought", type: "count" },
        { name: "sold", type: "count" },
      ],
      warehouseNative: { aggregation: "ratio", numeratorAggregation: "count", denominatorAggregation: "count" },
    });
    expect(toBody(to("funnel"))).toEqual({
      metricEvents: [],
      warehouseNative: { aggregation: "funnel", funnelEvents: [{ name: "bought" }, { name: "sold" }, { name: "paid" }] },
    });
    expect(toBody(to("count_distinct"))?.metricEvents?.map(({ type }) => type)).toEqual(Array(3).fill("count_distinct"));
    const back = edited(to("funnel"), (computed) => withAggregation(computed, "sum"));
    expect(toBody(back)).toEqual({ metricEvents: [{ name: "bought", type: "value" }] });
  });

  test("of one part of a ratio changes what its event counts, and the column of a source", () => {
    const ratio = createDraft({ aggregation: "ratio", numeratorAggregation: "sum", denominatorAggregation: "count" }, [
      BOUGHT,
      { name: "seen", type: "count" },
    ]);
    expect(toBody(edited(ratio, (computed) => withPart(computed, "denominator", "count_distinct")))).toEqual({
      metricEvents: [BOUGHT, { name: "seen", type: "count_distinct" }],
      warehouseNative: { aggregation: "ratio", numeratorAggregation: "sum", denominatorAggregation: "count_distinct" },
    });
    const { valueColumn: _, ...rest } = buildStored("ratio");
    expect(toBody(edited(createDraft(buildStored("ratio")), (computed) => withPart(computed, "numerator", "daily_participation")))).toEqual(
      {
        warehouseNative: { ...rest, numeratorAggregation: "daily_participation" },
      },
    );
  });

  test("of somebody else drops a field of the draft that it does not read", () => {
    const draft = set(createDraft({ aggregation: "sum" }, [BOUGHT]), { cap: 5 });
    const theirs = createDraft({ aggregation: "percentile", percentile: 0.9 }, [BOUGHT]).stored;
    expect(conflictsIn(metricModel, draft, theirs)).toEqual([]);
    const merged = metricModel.createDraft(theirs, { ...metricModel.storedParts(theirs), "warehouseNative.cap": 5 });
    expect(toBody(merged)).toBeUndefined();
  });
});

describe("rows", () => {
  test("from a source have no events, and rows from events have no source fields", () => {
    const events = createDraft({ aggregation: "sum", cap: 3 }, [BOUGHT]);
    const ofSource = set(
      edited(events, (computed) => withSource(computed, "")),
      { valueColumn: "amount" },
    );
    expect(messages(ofSource)).toEqual(["warehouseNative.metricSourceName: Choose a metric source."]);
    const named = set(ofSource, { metricSourceName: "orders" });
    expect(messages(named)).toEqual([]);
    expect(toBody(named)).toEqual({
      metricEvents: [],
      warehouseNative: { aggregation: "sum", cap: 3, metricSourceName: "orders", valueColumn: "amount" },
    });
    const back = edited(named, (computed) => withSource(computed, undefined));
    expect(messages(back)).toEqual(["metricEvents[0].name: Enter the name of the event."]);
    expect(toPreviewRequest(back)).toMatchObject({
      metricEvents: [{ name: "", type: "value" }],
      warehouseNative: { aggregation: "sum", cap: 3 },
    });
  });

  test("can be counted as each aggregation needs it", () => {
    for (const aggregation of Object.keys(PART_AGGREGATIONS) as Aggregation[]) expect(takenBy(aggregation).length).toBeGreaterThan(0);
  });

  test("keep their keys when they change and move", () => {
    const [a, b] = [{ name: "a" }, { name: "b" }];
    const keys = [a, b].map(rowKey);
    expect(changedAt([a, b], 1, { name: "c" }).map(rowKey)).toEqual(keys);
    expect(movedTo([a, b], 0, 1).map(rowKey)).toEqual(keys.toReversed());
    expect(rowKey({ name: "a" })).not.toBe(keys[0]);
  });
});

test("the draft says what is missing or wrong, at its place", () => {
  expect(messages(createDraft({ aggregation: "ratio" }, [BOUGHT]))).toEqual(["metricEvents: A ratio has two events."]);
  expect(messages(createDraft({ aggregation: "count" }))).toEqual(["metricEvents: Add an event, or choose a metric source."]);
  const retention = createDraft({ aggregation: "retention", retentionEnd: 3 }, [BOUGHT]);
  expect(messages(retention)).toEqual(["warehouseNative.retentionLength: Enter at most 3, the last day."]);
  const ratio = createDraft({ ...buildStored("ratio"), rollupTimeWindow: "max", denominatorRollupTimeWindow: "custom" });
  const turned = { winsorizationLowDenominator: 0.5, winsorizationHighDenominator: 0.5, winsorizationLow: 0.9 };
  const gaps = {
    valueColumn: undefined,
    denominatorValueColumn: undefined,
    denominatorCustomRollupStart: 9,
    denominatorMetricSourceName: "",
  };
  expect(messages(set(ratio, { ...turned, ...gaps, criteria: [{ ...CRITERION, column: "", values: [] }] }))).toEqual([
    "warehouseNative.denominatorMetricSourceName: Choose a metric source.",
    "warehouseNative.valueColumn: Enter the column with the value.",
    "warehouseNative.denominatorValueColumn: Enter the column with the value.",
    "warehouseNative.denominatorCustomRollupEnd: The last day must not be before the first.",
    "warehouseNative.winsorizationHigh: Enter a percentile above the lower one.",
    "warehouseNative.winsorizationHighDenominator: Enter a percentile above the lower one.",
    "warehouseNative.criteria[0].column: Enter the name of the field.",
    "warehouseNative.criteria[0].values: Enter at least one value.",
  ]);
  const percentile = createDraft({ aggregation: "percentile", percentile: 0.9 }, [BOUGHT]);
  for (const share of [undefined, 0, 1]) {
    expect(messages(set(percentile, { percentile: share }))).toEqual(["warehouseNative.percentile: Enter a percentage between 0 and 100."]);
  }
  expect(messages(set(percentile, { rollupTimeWindow: "custom" }))).toEqual([
    "warehouseNative.customRollUpStart: Enter a day.",
    "warehouseNative.customRollUpEnd: Enter a day.",
  ]);
  const steps = createDraft({ aggregation: "funnel", funnelEvents: [{ name: "seen" }, { name: "bought" }] });
  expect(messages(set(steps, { funnelEvents: [{ name: " ", metricSourceName: "", criteria: [] }] }))).toEqual([
    "warehouseNative.funnelEvents: Add at least two steps.",
    "warehouseNative.funnelEvents[0].name: Enter the name of the step.",
    "warehouseNative.funnelEvents[0].metricSourceName: Choose a metric source.",
  ]);
});

test("a share in percent is the same share again", () => {
  expect([0.99, 0.999, 0.5, 0.07, 1].map(toPercent)).toEqual([99, 99.9, 50, 7, 100]);
  fc.assert(fc.property(fc.integer({ min: 0, max: 1_000_000 }), (millionths) => toShare(toPercent(millionths / 1e6)) === millionths / 1e6));
});
