// The widgets of a dashboard. Pure.
import type { Schema } from "../../api.ts";

export type Widget = Schema<"DashboardWidget">;
export type WidgetType = Widget["type"];

/** Maximum number of widgets on a dashboard. */
export const MAX_WIDGETS = 24;
export const MAX_TITLE = 100;
export const MAX_TEXT = 2_000;
/** The number of days that a metric shows if the widget doesn't say. */
export const USUAL_DAYS = 14;

export const TYPES: Readonly<Record<WidgetType, string>> = {
  metric: "Metric",
  experiment: "Experiment",
  alert: "Alert",
  text: "Text",
};

export const VIEWS = { scorecard: "Scorecard of primary metrics", exposures: "Exposures by day" } as const;
export const WIDTHS = { half: "Half", full: "Full" } as const;

const RANGES = [7, 14, 28, 90];

/** The ranges to choose from. One that a program set is among them. */
export const rangeOptions = (current: number): { id: string; label: string }[] =>
  [...new Set([...RANGES, current])].sort((one, other) => one - other).map((days) => ({ id: String(days), label: `${days} days` }));

/** The name of a metric, which its ID begins with. */
export const nameOfMetric = (id: string): string => (id.includes("::") ? id.slice(0, id.lastIndexOf("::")) : id);

/** The ID of the entity that a widget shows. Undefined for a text. */
export const shownID = ({ metricID, experimentID, alertID }: Widget): string | undefined => metricID ?? experimentID ?? alertID;

/** Everything about a widget in words. Programs can leave out what has a default. */
export function describeWidget(widget: Widget): string {
  const { type, title, width, metricID, days, compare, experimentID, show, alertID, text } = widget;
  const subject = [type, metricID, experimentID, alertID, text !== undefined && `“${text}”`].filter(
    (part) => part !== undefined && part !== false,
  );
  const details = [
    days !== undefined && `${days} days`,
    compare !== undefined && (compare ? "compared" : "not compared"),
    show,
    title !== undefined && `titled “${title}”`,
    width !== undefined && `${width} width`,
  ].filter((part) => part !== undefined && part !== false);
  return [subject.join(" "), ...details].join(", ");
}

/** The fields that a widget of a type has; others are dropped when someone chooses the type. Empty titles are left out. */
export function toWidget({ type, title, width, ...fields }: Widget): Widget {
  const { metricID, days, compare, experimentID, show, alertID, text } = fields;
  return {
    type,
    ...(title !== undefined && title.trim() !== "" && { title: title.trim() }),
    ...(width === "full" && { width }),
    ...(type === "metric" && { ...(metricID !== undefined && { metricID }), days: days ?? USUAL_DAYS, ...(compare && { compare }) }),
    ...(type === "experiment" && { ...(experimentID !== undefined && { experimentID }), show: show ?? "scorecard" }),
    ...(type === "alert" && alertID !== undefined && { alertID }),
    ...(type === "text" && text !== undefined && { text }),
  };
}

/** An instruction to complete a widget. Undefined if it is complete. */
export function missingIn(widget: Widget): string | undefined {
  if (widget.type === "text") return widget.text?.trim() ? undefined : "Enter some text first.";
  return shownID(toWidget(widget)) === undefined ? `Choose ${widget.type === "metric" ? "a" : "an"} ${widget.type} first.` : undefined;
}
