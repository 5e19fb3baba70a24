import type { WritableSchema } from "@gatehouse/contract/console";
import { describe, expect, test } from "vitest";
import type { AppError } from "../../common/errors.ts";
import { changeMetric, isArchiveDue, namedByMetric, newMetric, scheduleArchive } from "./metric.ts";

type Given = WritableSchema<"MetricCreate">;

const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "p", operationID: "createMetric", now: 1 };

/** The violations of a definition, as `place: text`. */
function catchViolations(work: () => unknown): string[] {
  try {
    work();
  } catch (error) {
    return ((error as AppError).violations ?? []).map(({ property, errorMessage }) => `${property}: ${errorMessage}`);
  }
  return [];
}

const refused = (given: Omit<Given, "name">) => catchViolations(() => newMetric({ name: "metric", ...given }, context));
const purchase = { name: "purchase" };
const amount = { name: "purchase", type: "value" as const };

describe("newMetric", () => {
  test("accepts each type with no more than it computes", () => {
    const ref = (type: string) => ({ name: "part", type });
    const definitions: Omit<Given, "name">[] = [
      { type: "event_count_custom", metricEvents: [purchase] },
      { type: "event_user", metricEvents: [purchase], rollupTimeWindow: "daily_participation_rate" },
      { type: "sum", metricEvents: [purchase] },
      { type: "mean", metricEvents: [{ ...purchase, type: "metadata", metadataKey: "items" }] },
      { type: "ratio", metricEvents: [amount, purchase] },
      {
        type: "funnel",
        funnelEventList: [
          { name: "view", type: "event_dau" },
          { name: "Checkouts", type: "event_user" },
        ],
      },
      {
        type: "funnel",
        funnelCountDistinct: "events",
        funnelEventList: [
          { name: "a", type: "event_count" },
          { name: "b", type: "event_count" },
        ],
      },
      { type: "composite", metricComponentMetrics: [ref("event_user"), ref("event_user")] },
      { type: "composite_sum", metricComponentMetrics: [ref("sum"), ref("sum")] },
      { type: "user_warehouse", metricEvents: [purchase], warehouseNative: { aggregation: "retention" } },
    ];
    expect(definitions.flatMap(refused)).toEqual([]);
  });

  test("gives each event the type that fits the metric", () => {
    const eventTypes = (given: Omit<Given, "name">) =>
      newMetric({ name: "metric", ...given }, context).metricEvents.map(({ type }) => type);
    expect(eventTypes({ type: "event_user", metricEvents: [purchase] })).toEqual(["count"]);
    expect(eventTypes({ type: "mean", metricEvents: [purchase] })).toEqual(["value"]);
    const warehouse = (aggregation: "sum" | "count" | "count_distinct") =>
      eventTypes({ type: "user_warehouse", metricEvents: [purchase], warehouseNative: { aggregation } });
    expect([warehouse("sum"), warehouse("count"), warehouse("count_distinct")].flat()).toEqual(["value", "count", "count_distinct"]);
  });

  test("derives from its definition what it is computed from, and what it references", () => {
    const funnel = newMetric(
      {
        name: "Funnel",
        type: "funnel",
        funnelEventList: [
          { name: "view", type: "event_dau" },
          { name: "Checkouts", type: "event_user" },
        ],
        unitTypes: ["userID", "vehicleID"],
      },
      context,
    );
    expect([funnel.id, funnel.lineage]).toEqual(["Funnel::funnel", { events: ["view"], metrics: ["Checkouts::event_user"] }]);
    expect(namedByMetric(funnel)).toEqual([
      { type: "unit_id_type", id: "vehicleID", place: "unitTypes[1]" },
      { type: "metric", id: "Checkouts::event_user", place: "funnelEventList[0]" },
    ]);
    const warehouse = newMetric(
      {
        name: "Steps",
        type: "user_warehouse",
        warehouseNative: { aggregation: "funnel", funnelEvents: [{ name: "view" }, { name: "Orders", metricSourceName: "orders" }] },
      },
      context,
    );
    expect(warehouse.lineage).toEqual({ events: ["view"], metrics: [] });
    expect(namedByMetric(warehouse)).toEqual([
      { type: "metric_source", id: "orders", place: "warehouseNative.funnelEvents[1].metricSourceName" },
    ]);
  });

  test("refuses what the type does not read, and asks for what it does", () => {
    expect(refused({ type: "sum", funnelCountDistinct: "users", warehouseNative: { aggregation: "sum" } })).toEqual([
      "warehouseNative: must be left out with type sum",
      "funnelCountDistinct: must be left out with type sum",
      "metricEvents: must have an event with type sum",
    ]);
    expect(refused({ type: "composite", metricEvents: [purchase], metricComponentMetrics: [{ name: "a", type: "sum" }] })).toEqual([
      "metricEvents: must be left out with type composite",
      "metricComponentMetrics: must have at least two metrics",
      "metricComponentMetrics[0].type: must be event_count_custom, event_user, or event_count with type composite",
    ]);
    const mixed = [
      { name: "a", type: "event_user" },
      { name: "b", type: "event_count_custom" },
    ];
    expect(refused({ type: "composite", metricComponentMetrics: mixed })).toEqual([
      "metricComponentMetrics[1].type: must be event_user like that of the first",
    ]);
    expect(refused({ type: "ratio", metricEvents: [purchase] })).toEqual([
      "metricEvents: must have two events for a ratio: the numerator and the denominator",
    ]);
    expect(refused({ type: "funnel", funnelEventList: [{ name: "a", type: "event_count" }] })).toEqual([
      "funnelEventList: must have at least two steps",
      "funnelEventList[0].type: must be event_dau or event_user, since the funnel counts users",
    ]);
    expect(refused({ type: "user_warehouse", metricEvents: [purchase] })).toEqual([
      "warehouseNative: is required with type user_warehouse",
    ]);
  });

  test("refuses events that do not say which number they count", () => {
    const metricEvents = [
      { ...purchase, type: "metadata" as const },
      { ...purchase, metadataKey: "items" },
      { ...purchase, type: "count" as const },
    ];
    expect(refused({ type: "sum", metricEvents })).toEqual([
      "metricEvents[0].metadataKey: is required with type metadata",
      "metricEvents[1].metadataKey: must be left out with type value",
      "metricEvents[2].type: must be value or metadata with type sum",
    ]);
  });

  test("refuses criteria whose column or values do not fit their condition", () => {
    const criteria: NonNullable<Given["metricEvents"]>[number]["criteria"] = [
      { type: "value", column: "x", condition: "non_null" },
      { type: "metadata", condition: "=", values: ["a", "b"] },
      { type: "user", column: "country", condition: "in" },
      { type: "user_custom", column: "plan", condition: "is_true", values: ["yes"] },
      { type: "value", condition: ">=", values: ["many"] },
      { type: "value", condition: "<", values: ["1e3"] },
    ];
    expect(refused({ type: "event_user", metricEvents: [{ ...purchase, criteria }] })).toEqual([
      "metricEvents[0].criteria[0].column: must be left out with type value",
      "metricEvents[0].criteria[1].column: is required with type metadata",
      "metricEvents[0].criteria[1].values: must have one value with the condition =",
      "metricEvents[0].criteria[2].values: must have a value with the condition in",
      "metricEvents[0].criteria[3].values: must be left out with the condition is_true",
      "metricEvents[0].criteria[4].values[0]: must be a number with the condition >=",
    ]);
  });

  test("refuses windows without an end, with one before their start, and of types that have none", () => {
    expect(refused({ type: "sum", metricEvents: [purchase], rollupTimeWindow: "custom", customRollUpStart: 3 })).toEqual([
      "customRollUpEnd: is required with the window custom",
    ]);
    const days = { customRollUpStart: 3, customRollUpEnd: 2 };
    expect(refused({ type: "sum", metricEvents: [purchase], ...days, rollupTimeWindow: "custom" })).toEqual([
      "customRollUpEnd: must be at least customRollUpStart, which is 3",
    ]);
    expect(refused({ type: "sum", metricEvents: [purchase], ...days })).toEqual([
      "customRollUpStart: must be left out unless the window is custom",
      "customRollUpEnd: must be left out unless the window is custom",
    ]);
    expect(refused({ type: "sum", metricEvents: [purchase], rollupTimeWindow: "daily_participation_rate" })).toEqual([
      "rollupTimeWindow: cannot be daily_participation_rate with type sum",
    ]);
  });

  test.each<[string, Given["warehouseNative"], Given["metricEvents"], string[]]>([
    [
      "a field that the aggregation does not read",
      { aggregation: "mean", cap: 3 },
      [amount],
      ["cap: must be left out with the aggregation mean"],
    ],
    ["events that have no number to add", { aggregation: "sum" }, [{ ...purchase, type: "count" }], []],
    [
      "criteria beside those of the events",
      { aggregation: "count", criteria: [{ type: "value", condition: "non_null" }] },
      [purchase],
      ["criteria: must be left out without metricSourceName: events have theirs in metricEvents"],
    ],
    [
      "a source without the column to add",
      { aggregation: "sum", metricSourceName: "orders" },
      [],
      ["valueColumn: is required with the aggregation sum"],
    ],
    [
      "a ratio without a numerator and a denominator",
      { aggregation: "ratio", metricSourceName: "orders" },
      [],
      ["numeratorAggregation: is required with the aggregation ratio", "denominatorAggregation: is required with the aggregation ratio"],
    ],
    [
      "a percentile without its number",
      { aggregation: "percentile" },
      [amount],
      ["percentile: is required with the aggregation percentile"],
    ],
    ["a funnel without steps", { aggregation: "funnel" }, [], ["funnelEvents: is required with the aggregation funnel"]],
    [
      "waiting for a window without an end",
      { aggregation: "sum", waitForCohortWindow: true },
      [amount],
      ["waitForCohortWindow: needs the window custom, which has an end"],
    ],
    [
      "bounds that leave nothing",
      { aggregation: "sum", winsorizationLow: 0.9, winsorizationHigh: 0.1 },
      [amount],
      ["winsorizationHigh: must be above winsorizationLow"],
    ],
    [
      "a return before the first day",
      { aggregation: "retention", retentionEnd: 3 },
      [purchase],
      ["retentionLength: must be at most retentionEnd, which is 3"],
    ],
  ])("refuses of a metric of type user_warehouse %s", (_, warehouseNative, metricEvents, expected) => {
    const places = refused({ type: "user_warehouse", ...(warehouseNative && { warehouseNative }), metricEvents: metricEvents ?? [] });
    const inEvents = "metricEvents[0].type: must be value or metadata with the aggregation sum";
    expect(places).toEqual(expected.length > 0 ? expected.map((text) => `warehouseNative.${text}`) : [inEvents]);
  });

  test("refuses of a metric of type user_warehouse both a source and events, or neither", () => {
    const given = { type: "user_warehouse" as const };
    expect(refused({ ...given, metricEvents: [purchase], warehouseNative: { aggregation: "count", metricSourceName: "orders" } })).toEqual([
      "metricEvents: must be left out with metricSourceName",
    ]);
    expect(refused({ ...given, warehouseNative: { aggregation: "count" } })).toEqual([
      "metricEvents: must have an event, or warehouseNative a metricSourceName",
    ]);
    const days = { rollupTimeWindow: "custom" as const, customRollUpStart: 0, customRollUpEnd: 6 };
    expect(refused({ ...given, ...days, metricEvents: [purchase], warehouseNative: { aggregation: "count" } })).toEqual([
      "rollupTimeWindow: must be given in warehouseNative with type user_warehouse",
    ]);
  });
});

describe("changeMetric", () => {
  const week = { rollupTimeWindow: "custom" as const, customRollUpStart: 0, customRollUpEnd: 6 };
  const metric = newMetric({ name: "Revenue", type: "sum", metricEvents: [purchase], ...week }, context);

  test("drops the days of a window that it leaves", () => {
    const changed = changeMetric(metric, { rollupTimeWindow: "max" }, context);
    expect(changed).toMatchObject({ rollupTimeWindow: "max", version: 2 });
    expect(changed).not.toHaveProperty("customRollUpEnd");
  });

  test("checks the whole definition, and keeps what it is computed from true", () => {
    expect(changeMetric(metric, { metricEvents: [{ name: "order" }] }, context).lineage).toEqual({ events: ["order"], metrics: [] });
    expect(catchViolations(() => changeMetric(metric, { metricEvents: [], type: "mean" }, context))).toEqual([
      "type: cannot be changed",
      "metricEvents: must have an event with type mean",
    ]);
  });
});

describe("scheduleArchive", () => {
  const metric = newMetric({ name: "Revenue", type: "sum", metricEvents: [purchase] }, context);
  const DAY_MS = 86_400_000;

  test("returns the start of the next day, even at the start of a day", () => {
    const at = (now: number) => scheduleArchive(metric, { ...context, now }).archiveTime;
    expect([at(0), at(DAY_MS - 1), at(DAY_MS)]).toEqual([DAY_MS, DAY_MS, 2 * DAY_MS]);
  });

  test("is due from the start of that day until the metric is archived", () => {
    const scheduled = scheduleArchive(metric, { ...context, now: 0 });
    expect([isArchiveDue(scheduled, DAY_MS - 1), isArchiveDue(scheduled, DAY_MS)]).toEqual([false, true]);
    expect([isArchiveDue({ ...scheduled, isHidden: true }, DAY_MS), isArchiveDue(metric, DAY_MS)]).toEqual([false, false]);
  });
});
