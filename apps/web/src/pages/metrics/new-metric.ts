// The least that a new metric of each type needs. Pure.
import type { WritableSchema } from "../../api.ts";
import { AUTOMATIC_UNIT } from "../../results/units.ts";
import { newEvent } from "./event-draft.ts";
import { hasEvents, isComposite } from "./metric-draft.ts";
import { type MadeType, type MetricType, typesIn } from "./metric-words.ts";

export type Given = {
  type: MadeType;
  event: string;
  second: string;
  components: readonly { name: string; type: string }[];
  valueUnit: string;
};

export const NOTHING: Given = { type: "event_user", event: "", second: "", components: [], valueUnit: AUTOMATIC_UNIT };

/** In the order of the choice. */
export const CHOICE = typesIn(
  "event_user",
  "event_count_custom",
  "sum",
  "mean",
  "ratio",
  "funnel",
  "composite",
  "composite_sum",
  "user_warehouse",
);

/** The purpose of the second event; undefined if the type needs one event. */
export function describeSecondEvent(type: MetricType): string | undefined {
  if (type === "ratio") return "Divided by event";
  return type === "funnel" ? "Second step" : undefined;
}

/** The initial definition of a new metric. All else is edited on its page. */
export function newDefinition({ type, event, second, components }: Given): Partial<WritableSchema<"MetricCreate">> {
  if (isComposite(type)) return { metricComponentMetrics: [...components] };
  const names = describeSecondEvent(type) === undefined ? [event] : [event, second];
  if (type === "funnel") return { funnelEventList: names.map((name) => ({ name, type: "event_dau" })) };
  const metricEvents = names.map((name) => ({ name, type: newEvent(type).type }));
  return { ...(hasEvents(type) && { metricEvents }), ...(type === "user_warehouse" && { warehouseNative: { aggregation: "count" } }) };
}
