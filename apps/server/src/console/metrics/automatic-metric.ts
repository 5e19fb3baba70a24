import { conflict, invalid } from "../../common/errors.ts";
import { isUserMetric, type UserMetricName } from "../../results/plans/user-plan.ts";
import { metricID } from "../common/named.ts";
import { DEFAULTS, type Metric } from "./metric.ts";

/** The types whose metrics are automatic. */
export type AutomaticType = Extract<Metric["type"], "event_count" | "user">;

/** An automatic metric, and since when it exists, ms. */
export type Automatic = { name: string; type: AutomaticType; createdTime: number };

const DAYS = "A unit's days are 24 hours each and begin with its first exposure.";

/** Describes each metric of type user. */
export const USER_METRICS: Record<UserMetricName, string> = {
  dau: `The share of days on which units were active: days with any event, divided by days since the first exposure. ${DAYS}`,
  wau: `The share of days on which units were active within the last 7 days. Days with an event on them or on one of the 6 days before, divided by days since the first exposure. ${DAYS}`,
  mau_28day: `The share of days on which units were active within the last 28 days. Days with an event on them or on one of the 27 days before, divided by days since the first exposure. ${DAYS}`,
  weekly_stickiness: `How often weekly active users are active: days with any event, divided by the days that had one within the last 7 days. ${DAYS}`,
  monthly_stickiness: `How often monthly active users are active: days with any event, divided by the days that had one within the last 28 days. ${DAYS}`,
  new_dau:
    "New users: the share of units whose first event of all that are stored follows their first exposure. Expired events don't count.",
};

/** The words around an event's name in the description of the metric that counts it. */
export const COUNTED = ["How many events ", " a unit has since its first exposure."] as const;

export const isAutomaticType = (type: string): type is AutomaticType => type === "event_count" || type === "user";

/** The metric as it is answered. It has never changed. */
export function automaticMetric({ name, type, createdTime }: Automatic): Metric {
  const isCount = type === "event_count";
  const description = isUserMetric(name) && !isCount ? USER_METRICS[name] : COUNTED.join(name);
  return {
    ...DEFAULTS,
    ...{ id: metricID({ name, type }), name, type, description, createdTime, version: 1 },
    ...{ isReadOnly: true, isPermanent: true },
    metricEvents: isCount ? [{ name, type: "count" }] : [],
    lineage: { events: isCount ? [name] : [], metrics: [] },
    ...{ creatorID: null, creatorName: null, creatorEmail: null },
    ...{ lastModifiedTime: createdTime, lastModifierID: null, lastModifierName: null, lastModifierEmail: null },
  };
}

/** The name and type in an id that an automatic metric can have. */
export function automaticName(id: string): Pick<Automatic, "name" | "type"> | undefined {
  const at = id.lastIndexOf("::");
  const [name, type] = [id.slice(0, Math.max(0, at)), id.slice(at + 2)];
  if (!isAutomaticType(type) || name === "") return undefined;
  return type === "event_count" || isUserMetric(name) ? { name, type } : undefined;
}

/** @throws AppError conflict */
export function refuseWrite(id: string): never {
  throw conflict(`Metric ${id} is automatic: it can be neither changed nor deleted.`, "id");
}

/** @throws AppError invalid_request if the metric does not exist */
export function requireAutomatic(metric: Metric | undefined, id: string): Metric {
  if (!metric) throw invalid([{ property: "name", errorMessage: `names the metric ${id}, which does not exist` }]);
  return metric;
}
