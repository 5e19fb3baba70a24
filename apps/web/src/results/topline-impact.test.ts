import { expect, test } from "vitest";
import { toplineRows } from "./topline-impact.ts";
import type { PulseMetric } from "./verdicts.ts";

const metric = (metricName: string, given: Partial<PulseMetric>): PulseMetric => ({
  metricID: `${metricName}::sum`,
  metricName,
  directionality: "increase",
  ...given,
});

test("the impact on the whole is shown per day and in percent, now and projected, each with its interval", () => {
  const revenue = metric("Revenue", {
    absoluteToplineImpact: 4,
    absoluteToplineImpactDelta: 4.46743,
    relativeToplineImpact: 13.3333,
    relativeToplineImpactDelta: 14.89143,
    projectedAbsoluteToplineImpact: 16,
    projectedAbsoluteToplineImpactDelta: 17.86972,
    projectedRelativeToplineImpact: 53.3333,
    projectedRelativeToplineImpactDelta: 59.56572,
    topline: { days: 2, total: 68, share: 0.25 },
  });
  expect(toplineRows([revenue])).toEqual([
    {
      metricID: "Revenue::sum",
      metricName: "Revenue",
      now: { absolute: "+4.0 (−0.5 to +8.5)", relative: "+13% (−2% to +28%)" },
      projected: { absolute: "+16 (−2 to +34)", relative: "+53% (−6% to +113%)" },
      reason: undefined,
      worked: "2 days, a total of 68, a share of 0.25",
    },
  ]);
});

test("a missing number has its reason, and a metric without numbers is left out", () => {
  const reason = "The total for all users is not known, so there is no percentage.";
  const buyers = metric("Buyers", { absoluteToplineImpact: -2, absoluteToplineImpactDelta: 1, topline: { days: 1, reason } });
  expect(toplineRows([buyers, metric("Age", { reason: "No results update has computed this metric yet." })])).toEqual([
    {
      ...{ metricID: "Buyers::sum", metricName: "Buyers", reason, projected: undefined },
      now: { absolute: "−2.0 (−3.0 to −1.0)", relative: undefined },
      worked: "1 day",
    },
  ]);
});
