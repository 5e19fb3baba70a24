import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/** The source of units' exposures: an experiment shows one of its groups, a gate's rule or a holdout whether they pass. */
export type ExposureSource =
  // Other groups are left out.
  | { type: "experiment"; id: string; groupIDs: readonly string[]; crossed?: Crossed }
  | { type: "gate"; id: string; ruleID: string; passPercentage: number }
  | { type: "holdout"; id: string; passPercentage: number };

/** Another experiment. Only units count that saw one of its groups and no second one. That group replaces the fields of their user. */
type Crossed = { id: string; groupIDs: readonly string[]; startTime: number };

/** The groups of a gate's rule and of a holdout. */
export const PASS = "pass";
export const FAIL = "fail";

/** The exposures that count. */
export type Exposed = {
  projectID: string;
  exposureSource: ExposureSource;
  /** In lower case. */
  environments: readonly string[];
  /** The first time that counts, and the first that no longer does, ms. */
  startTime: number;
  endTime: number;
};

/**
 * The rows `unit`, `grp`, `time` and `fields` of the exposures that count: a row for each environment where the unit saw the group, with
 * the first time there. Gates and holdouts include exposures before `startTime`, since units with earlier exposures are left out.
 */
export function exposures(exposed: Exposed, dialect: Dialect, bind: Bind): string {
  const { projectID, exposureSource, environments, startTime, endTime } = exposed;
  if (exposureSource.type === "experiment" && exposureSource.crossed) return crossedExposures(exposed, exposureSource, dialect, bind);
  const scope = `"projectID" = ${bind.text(projectID)} and "firstTime" < ${bind.integer(endTime)}
    and ${dialect.isIn(`"environment"`, bind.texts(environments))}`;
  const columns = (group: string) => `"unitID" as unit, ${group} as grp, "firstTime" as "time", "userFields" as fields`;
  if (exposureSource.type === "experiment")
    return `select ${columns(`"groupID"`)} from ${dialect.table("experiment_exposure")}
    where ${scope} and "firstTime" >= ${bind.integer(startTime)}
    and "experimentID" = ${bind.text(exposureSource.id)} and ${dialect.isIn(`"groupID"`, bind.texts(exposureSource.groupIDs))}`;
  // The rule of a holdout is named after the share that it holds out.
  const isOfRule =
    exposureSource.type === "gate"
      ? `"ruleID" = ${bind.text(exposureSource.ruleID)}`
      : dialect.startsWith(`"ruleID"`, bind.text(`${exposureSource.id}:`));
  return `select ${columns(`case when "passed" then '${PASS}' else '${FAIL}' end`)} from ${dialect.table("check_exposure")}
    where ${scope} and "entityType" = ${bind.text(exposureSource.type)} and "entityID" = ${bind.text(exposureSource.id)} and ${isOfRule}`;
}

function crossedExposures(
  exposed: Exposed,
  { crossed, ...source }: Extract<ExposureSource, { type: "experiment" }>,
  dialect: Dialect,
  bind: Bind,
): string {
  const { id = "", groupIDs = [], startTime = 0 } = crossed ?? {};
  const own = exposures({ ...exposed, exposureSource: source }, dialect, bind);
  const others = exposures({ ...exposed, startTime, exposureSource: { type: "experiment", id, groupIDs } }, dialect, bind);
  return `select seen.unit as unit, seen.grp as grp, seen."time" as "time", other.grp as fields from (${own}) as seen
    join (select unit, min(grp) as grp from (${others}) as shown group by unit having min(grp) = max(grp)) as other on other.unit = seen.unit`;
}
