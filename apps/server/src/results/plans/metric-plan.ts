import type { Schema } from "@gatehouse/contract/console";
import { planOfFunnel } from "./funnel-plan.ts";
import type { PercentilePlan, Plan, Term, Unplanned } from "./plan.ts";
import { counted, numbersIn, participation, planWith, toSpan, toTerm } from "./plan-terms.ts";
import { isUserMetric, USER_PLANS } from "./user-plan.ts";
import { planOfWarehouse } from "./warehouse-plan.ts";
import { type Windows, withWindows } from "./windows.ts";

type Metric = Schema<"Metric">;

/** The units that are compared. `assignmentSource` is given if they are on the warehouse, and `windows` if an experiment bounds those of metrics. */
export type ComparedUnits = { assignmentSource?: string; windows?: Windows };

/** The metrics that others are made of, by id. */
export type Components = ReadonlyMap<string, Metric>;

const ON_WAREHOUSE =
  "Only loads, guardrails, alerts, previews, and results by dimension read the warehouse, which has the rows of its metric source.";
const EVENTS_ELSEWHERE = "The units of the experiment are on the warehouse, which has no logged events. Compute it from a metric source.";

/** Plans a metric from logged events. */
export function planMetric(metric: Metric, components: Components = new Map()): Plan | PercentilePlan | Unplanned {
  const plan = planAnywhere(metric, components);
  return "from" in plan ? { reason: ON_WAREHOUSE } : plan;
}

/** How metrics of compared units are computed, from logged events or from rows of metric sources. */
export function plansFor({ assignmentSource, windows }: ComparedUnits): typeof planMetric {
  return (...given) => {
    const plan = planAnywhere(...given);
    if ("reason" in plan) return plan;
    if (assignmentSource !== undefined && plan.from !== "warehouse") return { reason: EVENTS_ELSEWHERE };
    return windows ? withWindows(plan, windows) : plan;
  };
}

/** Plans a metric, from logged events or from rows of metric sources. */
export function planAnywhere(metric: Metric, components: Components = new Map()): Plan | PercentilePlan | Unplanned {
  const { type, metricEvents, rollupTimeWindow } = metric;
  const span = toSpan(metric);
  const [first, second] = metricEvents;
  switch (type) {
    case "event_count":
    case "event_count_custom":
      return planWith(metricEvents.map((event) => toTerm([event], span)));
    case "event_user": {
      const { active, all } = participation(metricEvents, span);
      if (rollupTimeWindow === "daily_participation_rate") return planWith([active], [all]);
      return planWith([{ sources: metricEvents.map(counted), fold: { by: "any" }, span }]);
    }
    case "sum":
      return planWith([toTerm(metricEvents, span)]);
    case "mean":
      return planWith([toTerm(metricEvents, span)], [numbersIn(metricEvents, span)]);
    case "ratio":
      return first && second ? planWith([toTerm([first], span)], [toTerm([second], span)]) : { reason: "It has no two events." };
    case "composite":
    case "composite_sum":
      return composed(metric, components);
    case "funnel":
      return planOfFunnel(metric, components);
    case "user_warehouse":
      return planOfWarehouse(metric);
    case "user":
      return isUserMetric(metric.name) ? USER_PLANS[metric.name] : { reason: "It is not a metric of users." };
  }
}

function composed({ metricComponentMetrics }: Metric, components: Components): Plan | Unplanned {
  const terms: Term[] = [];
  for (const { name, type } of metricComponentMetrics) {
    const component = components.get(`${name}::${type}`);
    if (!component) return { reason: `The metric ${name} of type ${type} does not exist.` };
    const part = planMetric(component, components);
    if ("reason" in part) return part;
    if ("percentile" in part) return { reason: `The metric ${name} is a percentile, which cannot be added up.` };
    if (part.denominator) return { reason: `The metric ${name} is a share of days, which cannot be added up.` };
    terms.push(...part.numerator.terms);
  }
  return planWith(terms);
}
