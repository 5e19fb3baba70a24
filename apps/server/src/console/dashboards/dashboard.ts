import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { entityID } from "@gatehouse/contract/entity-id";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { namedLabels, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type Dashboard = Schema<"Dashboard">;
type DashboardCreate = WritableSchema<"DashboardCreate">;
type DashboardPatch = WritableSchema<"DashboardPatch">;
type Widget = Schema<"DashboardWidget">;
type Field = Exclude<keyof Widget, "type" | "title" | "width">;

const DEFAULTS = { description: "", widgets: [], tags: [], team: null, teamID: null } satisfies Partial<Dashboard>;

/** The fields of each type of widget, and whether it needs them. */
const FIELDS: Readonly<Record<Widget["type"], Partial<Record<Field, "required" | "optional">>>> = {
  metric: { metricID: "required", days: "optional", compare: "optional" },
  experiment: { experimentID: "required", show: "optional" },
  alert: { alertID: "required" },
  text: { text: "required" },
};
const ALL_FIELDS: readonly Field[] = ["metricID", "days", "compare", "experimentID", "show", "alertID", "text"];

/** Creates a dashboard. Only the name is required. @throws AppError invalid_request with every violation */
export function newDashboard(given: DashboardCreate, context: Context): Dashboard {
  return valid({ id: entityID("dashboard", given.name) ?? randomID(), ...DEFAULTS, ...created(context), ...given });
}

/** The dashboard with the given fields changed. @throws AppError invalid_request with every violation */
export function changeDashboard(dashboard: Dashboard, given: DashboardPatch, context: Context): Dashboard {
  return valid({ ...dashboard, ...given, ...modified(dashboard, context) });
}

/** The references of the widgets and the labels. */
export function namedByDashboard({ widgets, tags, teamID }: Dashboard): Reference[] {
  return [
    ...widgets.flatMap(({ metricID, experimentID, alertID }, index) => [
      ...namedOne("metric", metricID, `widgets[${index}].metricID`),
      ...namedOne("experiment", experimentID, `widgets[${index}].experimentID`),
      ...namedOne("alert", alertID, `widgets[${index}].alertID`),
    ]),
    ...namedLabels({ tags, teamID }),
  ];
}

function valid(dashboard: Dashboard): Dashboard {
  const violations = dashboard.widgets.flatMap((widget, index) => checkWidget(widget, `widgets[${index}]`));
  if (violations.length > 0) throw invalid(violations);
  return dashboard;
}

function checkWidget(widget: Widget, place: string): Violation[] {
  return ALL_FIELDS.flatMap((field) => {
    const use = FIELDS[widget.type][field];
    const errorMessage =
      use === undefined && widget[field] !== undefined
        ? `must be left out for the type ${widget.type}`
        : use === "required" && widget[field] === undefined
          ? `is required for the type ${widget.type}`
          : undefined;
    return errorMessage === undefined ? [] : [{ property: `${place}.${field}`, errorMessage }];
  });
}
