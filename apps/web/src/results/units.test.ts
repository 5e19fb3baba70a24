import { expect, test } from "vitest";
import { scoreCsv } from "./score-csv.ts";
import { scoreRows } from "./score-rows.ts";
import { differenceText, unitName, unitOf, unitOfTotal, valueText } from "./units.ts";
import type { PulseMetric } from "./verdicts.ts";

test("values have their unit, with as many digits as their error justifies", () => {
  expect(valueText(0.2226, 0.0123, "percent")).toBe("22.3%");
  expect(valueText(1234.5, 4, "EUR")).toBe("€1,234.50");
  expect(valueText(0.0342, 0.0011, "EUR")).toBe("€0.0342");
  expect(valueText(1234.5, undefined, "JPY")).toBe("¥1,235");
  expect(valueText(825.31, 3.2, "milliseconds")).toBe("825.3\u00a0ms");
  expect(valueText(12.5, 0.4, undefined)).toBe("12.50");
  expect(differenceText(-2.5, 0.4, "USD")).toBe("−$2.50");
  expect(differenceText(0.021, 0.012, "percent")).toBe("+2.1\u00a0pp");
});

test("a rate is in percent unless its metric says otherwise, and its total is a count", () => {
  expect(unitOf({ isProportion: true })).toBe("percent");
  expect(unitOf({ isProportion: true, valueUnit: "none" })).toBeUndefined();
  expect(unitOf({ valueUnit: "EUR" })).toBe("EUR");
  expect(unitOfTotal({ isProportion: true })).toBeUndefined();
  expect(unitOfTotal({ valueUnit: "EUR" })).toBe("EUR");
  expect([unitName("seconds"), unitName("EUR")]).toEqual(["Seconds", "Euro (EUR)"]);
});

test("the CSV has exact numbers with both bounds and the unit, and no formula", () => {
  const revenue: PulseMetric = {
    ...{ metricID: "Revenue::sum", metricName: "=Revenue, net", directionality: "increase", valueUnit: "EUR" },
    ...{ controlTotal: 1_000, controlUnits: 300, testTotal: 1_200, testUnits: 300, absoluteChange: 2 / 3, confidenceIntervalDelta: 0.25 },
    ...{ percentChange: 20, percentInterval: [11.123456789, 30], isSignificant: true, pValue: 0.00012, alpha: 0.05 },
  };
  const pulse = { primaryMetrics: [revenue], secondaryMetrics: [], otherMetrics: [] };
  const [head = "", line = ""] = scoreCsv(scoreRows([{ group: { id: "green", name: "Green" }, pulse }], new Map()), "Blue").split("\r\n");
  expect(head).toContain("control_value,value,change_percent,change_percent_lower,change_percent_upper");
  expect(line).toBe(
    `primary,Revenue::sum,"'=Revenue, net",EUR,Blue,Green,300,300,${1_000 / 300},4,20,11.123456789,30,${2 / 3},${2 / 3 - 0.25},${2 / 3 + 0.25},0.00012,0.05,Better,,`,
  );
});
