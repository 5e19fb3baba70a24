import { expect, test } from "vitest";
import { averageText, dayText, storedRequest, unitOfStored } from "./metric-days.ts";

const METRIC = {
  ...{ name: "Orders", unitTypes: ["userID"], metricEvents: [], metricComponentMetrics: [], funnelEventList: [] },
  valueUnit: "automatic",
};
const metric = (given: object) => ({ ...METRIC, ...given }) as never;

test("averages without a unit have four digits, and others those of their unit", () => {
  expect([76.714_286, 0.123_456, 12_345.6].map((value) => averageText(value, undefined, "automatic"))).toEqual([
    "76.71",
    "0.1235",
    "12,346",
  ]);
  expect(averageText(3_572.589, undefined, "USD")).toBe("$3,572.59");
  expect(dayText(76.714_286, undefined, "automatic")).toBe("76.714286");
});

test("the days of a stored metric are asked for with the fields that define it", () => {
  expect(storedRequest(metric({ type: "event_user", metricEvents: [{ name: "buy" }] }))).toEqual({
    type: "event_user",
    unitTypes: ["userID"],
    metricEvents: [{ name: "buy" }],
  });
  expect(storedRequest(metric({ type: "event_count" }))).toEqual({ type: "event_count", name: "Orders" });
});

test("funnels are shown in percent unless they have a unit", () => {
  expect(unitOfStored(metric({ type: "funnel" }))).toBe("percent");
  expect(unitOfStored(metric({ type: "user_warehouse", warehouseNative: { aggregation: "funnel" } }))).toBe("percent");
  expect(unitOfStored(metric({ type: "funnel", valueUnit: "none" }))).toBe("none");
  expect(unitOfStored(metric({ type: "sum" }))).toBe("automatic");
});
