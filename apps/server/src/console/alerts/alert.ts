import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { entityID } from "@gatehouse/contract/entity-id";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { namedLabels, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";
import { isBeyond } from "./alert-thresholds.ts";

export type Alert = Schema<"Alert">;
type AlertCreate = WritableSchema<"AlertCreate">;
type AlertPatch = WritableSchema<"AlertPatch">;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const CHECKS_PER_WINDOW = 12;

/** Versions do not contain findings of checks. */
const UNCHECKED_FIELDS = {
  status: null,
  statusReason: null,
  value: null,
  checkedTime: null,
  lastTriggeredTime: null,
} satisfies Partial<Alert>;

const DEFAULTS = { message: "", tags: [], team: null, teamID: null } satisfies Partial<Alert>;

/** Creates an alert that was not checked yet. @throws AppError invalid_request with every violation */
export function newAlert(given: AlertCreate, context: Context): Alert {
  const fixed = { id: entityID("alert", given.name) ?? randomID(), companyID: context.projectID, metricGroupBys: {}, ...UNCHECKED_FIELDS };
  return valid({ ...fixed, ...DEFAULTS, ...created(context), ...given });
}

/** The alert with the given fields changed. @throws AppError invalid_request with every violation */
export function changeAlert(alert: Alert, given: AlertPatch, context: Context): Alert {
  return valid({ ...alert, ...given, ...modified(alert, context) });
}

/** The alert's references. */
export function namedByAlert(alert: Alert): Reference[] {
  return [...namedOne("metric", alert.metrics.A.id, "metrics.A.id"), ...namedLabels(alert)];
}

/** The time between two checks, ms. */
export function checkIntervalMs({ windowMs }: Pick<Alert, "windowMs">): number {
  return Math.min(HOUR_MS, Math.max(MINUTE_MS, Math.floor(windowMs / CHECKS_PER_WINDOW)));
}

type Nullable = "warningThreshold" | "renotificationWindowMs" | "renotificationMessage";
type Given = Omit<Alert, Nullable> & { [Field in Nullable]?: Alert[Field] | null };

/** The alert without the fields that are null or empty, which means the same as their absence. */
function valid({ warningThreshold, renotificationWindowMs, renotificationMessage, renotificationConditions = [], ...alert }: Given): Alert {
  const violations: Violation[] = [];
  const complete: Alert = {
    ...alert,
    ...(typeof warningThreshold === "number" && { warningThreshold }),
    ...(renotificationConditions.length > 0 && { renotificationConditions }),
    ...(typeof renotificationWindowMs === "number" && { renotificationWindowMs }),
    ...(typeof renotificationMessage === "string" && { renotificationMessage }),
  };
  checkWarning(complete, violations);
  checkRenotification(complete, violations);
  if (violations.length > 0) throw invalid(violations);
  return complete;
}

function checkWarning({ warningThreshold, alertThreshold, condition }: Alert, violations: Violation[]): void {
  if (warningThreshold === undefined) return;
  const property = "warningThreshold";
  if (condition === "equal" || condition === "not_equal") {
    violations.push({ property, errorMessage: `must be left out or null: a value does not approach the condition ${condition}` });
  } else if (warningThreshold === alertThreshold || isBeyond(warningThreshold, condition, alertThreshold)) {
    const side = condition.startsWith("greater") ? "less" : "greater";
    violations.push({ property, errorMessage: `must be ${side} than alertThreshold, so that the value reaches it first` });
  }
}

function checkRenotification(alert: Alert, violations: Violation[]): void {
  const { renotificationConditions: conditions, renotificationWindowMs: window, renotificationMessage: message } = alert;
  if (conditions !== undefined && window === undefined) {
    violations.push({ property: "renotificationWindowMs", errorMessage: "is required with renotificationConditions" });
  }
  if (conditions !== undefined) return;
  for (const [property, value] of Object.entries({ renotificationWindowMs: window, renotificationMessage: message })) {
    if (value !== undefined)
      violations.push({ property, errorMessage: "needs renotificationConditions, which say what is reported again" });
  }
}
