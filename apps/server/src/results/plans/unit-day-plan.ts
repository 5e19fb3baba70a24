import type { Schema } from "@gatehouse/contract/console";
import { planOfDay } from "./daily-plan.ts";
import type { Components, planMetric } from "./metric-plan.ts";
import { distinctMarkers, distinctTerms, type Plan, type Unplanned } from "./plan.ts";

const OF_EVENTS = "A percentile is one of all events, and its units have no number for each day.";
const OF_SEVERAL_DAYS = "Funnels, retention, and the activity of users depend on what a unit did on several days.";
const OF_EVERY_DAY = "Units without events on a day meet its threshold.";

/** Plans what a unit did on one day, from the events of that day alone. Windows, and bounds of winsorization, don't apply. */
export function planOfUnitDay(metric: Schema<"Metric">, components: Components, planned: typeof planMetric): Plan | Unplanned {
  const plan = planOfDay(metric, components, planned);
  if ("reason" in plan) return plan;
  if ("percentile" in plan) return { reason: OF_EVENTS };
  const terms = distinctTerms([plan]);
  if (distinctMarkers(terms).length > 0) return { reason: OF_SEVERAL_DAYS };
  return terms.some(({ threshold = 1 }) => threshold <= 0) ? { reason: OF_EVERY_DAY } : plan;
}
