import { expect, test } from "vitest";
import { setFields } from "../../saving/draft-model.ts";
import { describeDraft, faultsOfDraft, metricModel, newCriterion, newEvent, previewOf, writeOf } from "./metric-draft.ts";
import type { Metric } from "./metric-words.ts";
import { definitionOf, NOTHING } from "./new-metric.ts";

const REVENUE = {
  ...{ id: "revenue::sum", name: "revenue", type: "sum", description: "", directionality: "increase", tags: [] },
  ...{ isVerified: false, isPermanent: false, rollupTimeWindow: "max", metricComponentMetrics: [], funnelEventList: [] },
  metricEvents: [{ name: "bought", type: "value", criteria: [{ type: "user", column: "country", condition: "in", values: ["NO"] }] }],
} as unknown as Metric;
const FUNNEL = {
  ...{ ...REVENUE, id: "steps::funnel", type: "funnel", metricEvents: [] },
  funnelEventList: [
    { name: "seen", type: "event_dau" },
    { name: "bought", type: "event_dau" },
  ],
} as unknown as Metric;

const draftOf = (entity: Metric) => {
  const stored = { entity, etag: '"1"' };
  return metricModel.draftOf(stored, metricModel.storedParts(stored));
};
const revenue = draftOf(REVENUE);
const [bought] = revenue.fields.events;
const messages = (fields: Partial<typeof revenue.fields>, draft = revenue) =>
  faultsOfDraft(setFields(draft, fields)).map(({ property, message }) => `${property}: ${message}`);

test("a draft without edits writes nothing, and one with edits what changed", () => {
  expect(writeOf(revenue)).toEqual([]);
  expect(writeOf(setFields(revenue, { directionality: "decrease" }))).toEqual([
    { operationId: "updateMetric", path: { id: "revenue::sum" }, body: { directionality: "decrease" }, ifMatch: '"1"' },
  ]);
});

test("an automatic metric is previewed by its name, and has nothing to complete", () => {
  const ofUsers = draftOf({ ...REVENUE, id: "dau::user", name: "dau", type: "user", metricEvents: [] });
  expect(previewOf(ofUsers)).toEqual({ type: "user", name: "dau" });
  expect(faultsOfDraft(ofUsers)).toEqual([]);
});

test("a window has its days only where it is custom", () => {
  const bodyOf = (fields: Partial<typeof revenue.fields>) => writeOf(setFields(revenue, fields))[0]?.body;
  const custom = { rollupTimeWindow: "custom", firstDay: 1, lastDay: 7 } as const;
  expect(bodyOf(custom)).toEqual({ rollupTimeWindow: "custom", customRollUpStart: 1, customRollUpEnd: 7 });
  expect(bodyOf({ ...custom, rollupTimeWindow: "max" })).toEqual({ rollupTimeWindow: "max" });
  expect(messages({ ...custom, lastDay: 0 })).toEqual(["customRollUpEnd: The last day must not be before the first."]);
});

test("events are sent with what they count, and without what their kind does not read", () => {
  const criterion = { ...newCriterion(), column: "coupon", condition: "is_null" as const, values: ["left over"] };
  const events = [{ name: " refunded ", type: "metadata" as const, metadataKey: "amount", criteria: [criterion] }, newEvent("sum")];
  const [request] = writeOf(
    setFields(revenue, { events: [...events.slice(0, 1), { ...newEvent("sum"), name: "sold", metadataKey: "forgotten" }] }),
  );
  expect(request?.body).toEqual({
    metricEvents: [
      {
        name: "refunded",
        type: "metadata",
        metadataKey: "amount",
        criteria: [{ type: "metadata", column: "coupon", condition: "is_null" }],
      },
      { name: "sold", type: "value" },
    ],
  });
  expect(messages({ events })).toEqual(["metricEvents[1].name: Enter the name of the event."]);
});

test("conditions say what they miss, at its place", () => {
  const broken = [
    { ...newCriterion(), values: ["", ""] },
    { ...newCriterion(), type: "value" as const, condition: ">" as const },
  ];
  expect(messages({ events: [{ ...newEvent("sum"), name: "bought", type: "metadata", criteria: broken }] })).toEqual([
    "metricEvents[0].metadataKey: Enter the key in the metadata.",
    "metricEvents[0].criteria[0].column: Enter the name of the field.",
    "metricEvents[0].criteria[0].values: Enter at least one value.",
    "metricEvents[0].criteria[1].values: Enter one value.",
  ]);
  expect(messages({ events: [] })).toEqual(["metricEvents: Add an event."]);
  expect(messages({ events: bought ? [bought] : [] }, draftOf({ ...REVENUE, type: "ratio" }))).toEqual([
    "metricEvents: A ratio has two events.",
  ]);
  expect(messages({ components: [] }, draftOf({ ...REVENUE, type: "composite_sum" }))).toEqual([
    "metricComponentMetrics: Add at least two metrics.",
  ]);
});

test("what has no fields of its own is edited as a text", () => {
  const steps = draftOf(FUNNEL);
  const definition = `{ funnelEventList: [{ name: "seen", type: "event_count" }], funnelCountDistinct: "events" }`;
  expect(writeOf(setFields(steps, { definition }))[0]?.body).toEqual({
    funnelEventList: [{ name: "seen", type: "event_count" }],
    funnelCountDistinct: "events",
  });
  expect(messages({ definition: "{" }, steps)).toHaveLength(1);
  expect(describeDraft(setFields(steps, { definition })).map(({ changes }) => changes.length)).toEqual([1]);
  const warehouse = draftOf({ ...REVENUE, type: "user_warehouse", warehouseNative: { aggregation: "count" } });
  expect(writeOf(setFields(warehouse, { definition: `{ aggregation: "sum" }` }))[0]?.body).toEqual({
    warehouseNative: { aggregation: "sum" },
  });
});

test("a new metric has what its type requires", () => {
  const given = { ...NOTHING, event: "bought", second: "seen" };
  expect(definitionOf(given)).toEqual({ metricEvents: [{ name: "bought", type: "count" }] });
  expect(definitionOf({ ...given, type: "mean" })).toEqual({ metricEvents: [{ name: "bought", type: "value" }] });
  expect(definitionOf({ ...given, type: "ratio" }).metricEvents).toHaveLength(2);
  expect(definitionOf({ ...given, type: "funnel" })).toEqual({
    funnelEventList: [
      { name: "bought", type: "event_dau" },
      { name: "seen", type: "event_dau" },
    ],
  });
  expect(definitionOf({ ...given, type: "user_warehouse" })).toEqual({
    metricEvents: [{ name: "bought", type: "count" }],
    warehouseNative: { aggregation: "count" },
  });
  const components = [{ name: "revenue", type: "sum" }];
  expect(definitionOf({ ...given, type: "composite_sum", components })).toEqual({ metricComponentMetrics: components });
});
