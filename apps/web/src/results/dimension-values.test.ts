import { expect, test } from "vitest";
import type { Schema } from "../api.ts";
import { alphaText, fieldOptions, toRows, valueName } from "./dimension-values.ts";

const result = (given: Partial<Schema<"PulseDimensionResult">>, alpha?: number): Schema<"PulseDimensionResult"> => ({
  ...{ dimension: "country", dimension_value: "", kind: "value", ...given },
  metric: { metricID: "Revenue::sum", metricName: "Revenue", directionality: "increase", ...(alpha !== undefined && { alpha }) },
});

test("a value reads unlike what stands for other units, even if it has the same words", () => {
  expect(valueName(result({ dimension_value: "units without a value" }))).toBe("“units without a value”");
  expect(valueName(result({}))).toBe("“”");
  expect(valueName(result({ kind: "none" }))).toBe("units without a value");
  expect(valueName(result({ kind: "others", otherValues: 1 }))).toBe("1 other value");
  expect(valueName(result({ kind: "others", otherValues: 1_200 }))).toBe("1,200 other values");
});

test("each value is a separate row", () => {
  const rows = toRows([result({}), result({ kind: "none" }), result({ dimension_value: "NO" })]);
  expect(rows.map(({ metricName }) => metricName)).toEqual(["“”", "units without a value", "“NO”"]);
  expect(new Set(rows.map(({ metricID }) => metricID)).size).toBe(3);
});

test("α is said with its reason where several values share it", () => {
  expect(alphaText([result({}, 0.025), result({ kind: "none" }, 0.025)])).toContain(
    "Comparing more values makes false positives more likely. So each of the 2 rows uses α = 0.025, the metric’s α divided by the number of rows (Bonferroni).",
  );
  expect(alphaText([result({}, 0.05)])).toBe("α is 0.05.");
  expect(alphaText([])).toBeUndefined();
});

test("the fields say how many values they have, and a chosen one stays that is not offered", () => {
  const part = (kind: "value" | "others" | "none", otherValues?: number) => ({
    ...{ dimension_value: "", kind, groups: [] },
    ...(otherValues !== undefined && { otherValues }),
  });
  const offered = [{ dimension: "country", values: [part("value"), part("others", 30), part("none")] }];
  expect(fieldOptions(offered, "country")).toEqual([{ id: "country", label: "country (31 values)" }]);
  expect(fieldOptions(offered, "custom.plan").map(({ id }) => id)).toEqual(["custom.plan", "country"]);
});
