import { expect, test } from "vitest";
import { heterogeneityText, prominenceText, type SubgroupRow, subgroupText } from "./subgroup-words.ts";

const metric = { metricID: "Revenue::sum", metricName: "Revenue", directionality: "increase" as const };
const value = (dimension_value: string, given: object = {}, adjustedPValue?: number): SubgroupRow["subgroups"][number] => ({
  ...{ dimension_value, kind: "value", metric: { ...metric, ...given } },
  ...(adjustedPValue !== undefined && { adjustedPValue }),
});
const row = (given: Partial<SubgroupRow>): SubgroupRow => ({
  ...{ dimension: "country", standsOut: "nothing", total: metric, heterogeneity: {}, subgroups: [] },
  ...given,
});

test("a row says why it stands out", () => {
  const contradiction = { values: 2, unitShare: 0.874 };
  expect(prominenceText(row({ standsOut: "contradiction", contradiction }))).toContain(
    "values with 87% of the users changed the other way",
  );
  const subgroups = [value("NO", { isSignificant: true }), value("CH", { isSignificant: false })];
  expect(prominenceText(row({ standsOut: "subgroup", subgroups }))).toBe("Significant after the correction: “NO”.");
  expect(prominenceText(row({}))).toBeUndefined();
});

test("a value has its change and its corrected p-value, or no verdict", () => {
  expect(subgroupText(value("NO", { percentChange: 24.75 }, 0.0204))).toBe("“NO”: +24.8%, p = 0.0204");
  expect(subgroupText(value("NO", { percentChange: -3 }, 1e-9))).toBe("“NO”: −3%, p < 0.0001");
  expect(subgroupText(value("CH"))).toBe("“CH”: not enough data");
});

test("the test of different effects has its p-value, Q and I², and the reason for a missing verdict", () => {
  const numbers = { values: 3, q: 8.30536, iSquared: 0.759, adjustedPValue: 0.0539 };
  expect(heterogeneityText(row({ heterogeneity: numbers }))).toBe("p = 0.0539, Q = 8.305 of 3 values, I² = 76%");
  expect(heterogeneityText(row({ heterogeneity: { ...numbers, adjustedPValue: 1e-6, reason: "One look." } }))).toBe(
    "p < 0.0001, Q = 8.305 of 3 values, I² = 76%. One look.",
  );
  expect(heterogeneityText(row({ heterogeneity: { reason: "Fewer than two values." } }))).toBe("Fewer than two values.");
});
