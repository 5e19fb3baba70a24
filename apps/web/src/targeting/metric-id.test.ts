import { expect, test } from "vitest";
import { metricLabels } from "./metric-id.ts";

test("a metric is called by its name, followed by its type only where another metric has the same name", () => {
  const ids = ["Revenue::sum", "Revenue::mean", "Sign::ups::event_user", "Revenue::sum", "Old"];
  expect(ids.map(metricLabels(ids))).toEqual(["Revenue (sum)", "Revenue (mean)", "Sign::ups", "Revenue (sum)", "Old"]);
  expect(metricLabels([])("Revenue::sum")).toBe("Revenue");
});
