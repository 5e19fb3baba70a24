import type { Schema } from "@gatehouse/contract/console";
import type { Chain, Plan, Step, Term, Unplanned } from "./plan.ts";
import { planWith, toAmount, toSpan, toStep } from "./plan-terms.ts";

type Metric = Schema<"Metric">;

/** Units that begin a funnel and those of them that complete it; or how often they do. */
export function planOfFunnel(metric: Metric, components: ReadonlyMap<string, Metric>): Plan | Unplanned {
  const steps: Step[] = [];
  for (const { name, type } of metric.funnelEventList) {
    const isEvent = type === "event_count" || type === "event_dau";
    const step = isEvent ? [{ name }] : components.get(`${name}::${type}`)?.metricEvents;
    if (!step) return { reason: `The metric ${name} of type ${type} does not exist.` };
    steps.push(toStep(step));
  }
  const chain: Chain = { steps, span: toSpan(metric), withinMs: null, isStrict: false };
  const by = metric.funnelCountDistinct === "events" ? "sum" : "any";
  return planWith([termOfChain("completion", chain, by)], [termOfChain("start", chain, by)]);
}

function termOfChain(marks: "start" | "completion", chain: Chain, by: "sum" | "any"): Term {
  return { sources: [{ marks, of: chain }], fold: { by }, span: chain.span };
}

/** Plans a funnel. It counts all exposed units if it begins with their exposure. */
export function planOfChain(chain: Chain, startsWith: "start_event" | "exposure", rest: Pick<Plan, "waitsForSpan" | "preMs">): Plan {
  const numerator = toAmount([termOfChain("completion", chain, "any")]);
  if (startsWith === "exposure") return { numerator, ...rest };
  return { numerator, denominator: toAmount([termOfChain("start", chain, "any")]), ...rest };
}
