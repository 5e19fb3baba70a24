import { expect, test } from "vitest";
import { newCriterion } from "../../criteria/criteria-draft.ts";
import { setFields } from "../../saving/draft-model.ts";
import { withMissingChanges } from "../../targeting/missing-changes.ts";
import { toText } from "../../targeting/parts.ts";
import { newEvent } from "./event-draft.ts";
import {
  describeDraft,
  describeVersions,
  faultsOfDraft,
  metricModel,
  toPreviewRequest,
  toWriteRequests,
  unitOfDays,
} from "./metric-draft.ts";
import type { Metric } from "./metric-words.ts";
import { NOTHING, newDefinition } from "./new-metric.ts";

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

const createDraft = (entity: Metric) => {
  const stored = { entity, etag: '"1"' };
  return metricModel.createDraft(stored, metricModel.storedParts(stored));
};
const revenue = createDraft(REVENUE);
const [bought] = revenue.fields.events;
const messages = (fields: Partial<typeof revenue.fields>, draft = revenue) =>
  faultsOfDraft(setFields(draft, fields)).map(({ property, message }) => `${property}: ${message}`);

test("a draft without edits writes nothing, and one with edits what changed", () => {
  expect(toWriteRequests(revenue)).toEqual([]);
  expect(toWriteRequests(setFields(revenue, { directionality: "decrease" }))).toEqual([
    { operationId: "updateMetric", path: { id: "revenue::sum" }, body: { directionality: "decrease" }, ifMatch: '"1"' },
  ]);
});

test("a metric without a unit has the automatic one, which shows a funnel's days in percent", () => {
  expect(revenue.fields.valueUnit).toBe("automatic");
  expect(toWriteRequests(setFields(revenue, { valueUnit: "automatic" }))).toEqual([]);
  const funnel = createDraft(FUNNEL);
  expect([revenue, funnel, setFields(funnel, { valueUnit: "none" })].map(unitOfDays)).toEqual(["automatic", "percent", "none"]);
});

test("an automatic metric is previewed by its name, and has nothing to complete", () => {
  const ofUsers = createDraft({ ...REVENUE, id: "dau::user", name: "dau", type: "user", metricEvents: [] });
  expect(toPreviewRequest(ofUsers)).toEqual({ type: "user", name: "dau" });
  expect(faultsOfDraft(ofUsers)).toEqual([]);
});

test("a window has its days only where it is custom", () => {
  const toBody = (fields: Partial<typeof revenue.fields>) => toWriteRequests(setFields(revenue, fields))[0]?.body;
  const custom = { rollupTimeWindow: "custom", firstDay: 1, lastDay: 7 } as const;
  expect(toBody(custom)).toEqual({ rollupTimeWindow: "custom", customRollUpStart: 1, customRollUpEnd: 7 });
  expect(toBody({ ...custom, rollupTimeWindow: "max" })).toEqual({ rollupTimeWindow: "max" });
  expect(messages({ ...custom, lastDay: 0 })).toEqual(["customRollUpEnd: The last day must not be before the first."]);
});

test("events are sent with what they count, and without what their kind does not read", () => {
  const criterion = { ...newCriterion(), column: "coupon", condition: "is_null" as const, values: ["left over"] };
  const events = [{ name: " refunded ", type: "metadata" as const, metadataKey: "amount", criteria: [criterion] }, newEvent("sum")];
  const [request] = toWriteRequests(
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
    newCriterion(),
    { ...newCriterion(), type: "value" as const, condition: ">" as const },
    { ...newCriterion(), type: "value" as const, condition: ">" as const, values: ["many"] },
  ];
  expect(messages({ events: [{ ...newEvent("sum"), name: "bought", type: "metadata", criteria: broken }] })).toEqual([
    "metricEvents[0].metadataKey: Enter the key in the metadata.",
    "metricEvents[0].criteria[0].column: Enter the name of the field.",
    "metricEvents[0].criteria[0].values: Enter at least one value.",
    "metricEvents[0].criteria[1].values: Enter one value.",
    "metricEvents[0].criteria[2].values: Enter a number.",
  ]);
  expect(messages({ events: [] })).toEqual(["metricEvents: Add an event."]);
  expect(messages({ events: bought ? [bought] : [] }, createDraft({ ...REVENUE, type: "ratio" }))).toEqual([
    "metricEvents: A ratio has two events.",
  ]);
  expect(messages({ components: [] }, createDraft({ ...REVENUE, type: "composite_sum" }))).toEqual([
    "metricComponentMetrics: Add at least two metrics.",
  ]);
});

const describeChanges = (draft: typeof revenue) => describeDraft(draft).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)));

test("steps of a funnel are edited one by one, with what it counts", () => {
  const funnel = createDraft(FUNNEL);
  const [seen, bought] = funnel.fields.steps;
  const paid = { name: " paid ", type: "event_user" as const };
  const changed = setFields(funnel, { steps: [bought ?? paid, paid, seen ?? paid] });
  expect(toWriteRequests(changed)[0]?.body).toEqual({
    funnelEventList: [
      { name: "bought", type: "event_dau" },
      { name: "paid", type: "event_user" },
      { name: "seen", type: "event_dau" },
    ],
  });
  expect(describeChanges(changed)).toEqual(["Steps: +  paid  (metric that counts units)"]);
  expect(describeChanges(setFields(funnel, { steps: [bought ?? paid, seen ?? paid] }))).toEqual(["Steps in another order"]);
  const counting = setFields(funnel, { funnelCountDistinct: "events" });
  expect(toWriteRequests(counting)[0]?.body).toEqual({ funnelCountDistinct: "events" });
  expect(describeChanges(counting)).toEqual(["Count: Each unit once → Each first step"]);
  // The server's own fields for the steps are not listed again.
  const server = ["funnelEventList", "lineage.events"].map((field) => ({ field, before: [], after: ["paid"] }));
  const [metric] = withMissingChanges(describeDraft(changed), [
    { entityType: "metric", entityID: funnel.stored.entity.id, fields: server },
  ]);
  expect(metric?.changes.map(({ field }) => field)).toEqual(["steps"]);
  expect(messages({ steps: [{ name: "", type: "event_dau" }] }, funnel)).toEqual([
    "funnelEventList: Add at least two steps.",
    "funnelEventList[0].name: Enter the name of the step.",
  ]);
});

test("a stored name keeps the spaces around it", () => {
  const spaced = createDraft({ ...REVENUE, metricEvents: [{ name: " bought ", type: "value" }] });
  const [event] = spaced.fields.events;
  const events = event ? [event, { ...event, name: " sold " }] : [];
  expect(toWriteRequests(setFields(spaced, { events }))[0]?.body).toEqual({
    metricEvents: [
      { name: " bought ", type: "value" },
      { name: "sold", type: "value" },
    ],
  });
});

test("events are described in words", () => {
  const [event] = revenue.fields.events;
  const events = event ? [{ ...event, type: "metadata" as const, metadataKey: "amount" }] : [];
  expect(describeChanges(setFields(revenue, { events }))).toEqual([
    "Events: + bought: a number in the metadata (amount), if the user’s country is any of NO, − bought: its value, if the user’s country is any of NO",
  ]);
  expect(describeChanges(setFields(revenue, { rollupTimeWindow: "custom" }))).toEqual([
    "Window: Since the first exposure → A window after it",
    "First day: none → 0",
    "Last day: none → 6",
  ]);
});

test("versions of an aggregation are compared field by field", () => {
  const version = (warehouseNative: Metric["warehouseNative"]) =>
    ({ ...REVENUE, type: "user_warehouse", ...(warehouseNative && { warehouseNative }) }) as Metric;
  const [before, after] = [
    version({ aggregation: "sum", cap: 5, winsorizationHigh: 0.99 }),
    version({ aggregation: "max", winsorizationHigh: 0.999 }),
  ];
  expect(describeVersions(before, after).flatMap(({ changes }) => changes.map(({ parts }) => toText(parts)))).toEqual([
    "Aggregation: Sum → Highest value",
    "Daily cap per unit: 5 → none",
    "Upper winsorization percentile: 99% → 99.9%",
  ]);
  expect(describeVersions(before, version({ ...(before.warehouseNative ?? { aggregation: "sum" }), rollupTimeWindow: "max" }))).toEqual([]);
});

test("a new metric has what its type requires", () => {
  const given = { ...NOTHING, event: "bought", second: "seen" };
  expect(newDefinition(given)).toEqual({ metricEvents: [{ name: "bought", type: "count" }] });
  expect(newDefinition({ ...given, type: "mean" })).toEqual({ metricEvents: [{ name: "bought", type: "value" }] });
  expect(newDefinition({ ...given, type: "ratio" }).metricEvents).toHaveLength(2);
  expect(newDefinition({ ...given, type: "funnel" })).toEqual({
    funnelEventList: [
      { name: "bought", type: "event_dau" },
      { name: "seen", type: "event_dau" },
    ],
  });
  expect(newDefinition({ ...given, type: "user_warehouse" })).toEqual({
    metricEvents: [{ name: "bought", type: "count" }],
    warehouseNative: { aggregation: "count" },
  });
  const components = [{ name: "revenue", type: "sum" }];
  expect(newDefinition({ ...given, type: "composite_sum", components })).toEqual({ metricComponentMetrics: components });
});
