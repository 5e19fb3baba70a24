import type { Dialect } from "./dialect.ts";
import type { Bind } from "./statement.ts";

/** Which exposures count. */
export type Exposed = {
  projectID: string;
  experimentID: string;
  /** Other groups are left out. */
  groupIDs: readonly string[];
  /** In lower case. */
  environments: readonly string[];
  /** The first time that counts, and the first that no longer does, ms. */
  startTime: number;
  endTime: number;
};

/** The condition of the exposures that count. Those of releases that did not know environments have none. */
export function isExposed(
  { projectID, experimentID, groupIDs, environments, startTime, endTime }: Exposed,
  dialect: Dialect,
  bind: Bind,
): string {
  return `"projectID" = ${bind.text(projectID)} and "experimentID" = ${bind.text(experimentID)}
    and ${dialect.isIn(`"groupID"`, bind.texts(groupIDs))} and ("environment" is null or ${dialect.isIn(`"environment"`, bind.texts(environments))})
    and "firstTime" >= ${bind.integer(startTime)} and "firstTime" < ${bind.integer(endTime)}`;
}
