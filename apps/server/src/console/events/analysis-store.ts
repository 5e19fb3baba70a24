import { fromText } from "../../store/change-log/entity-text.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { Gate } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";
import { analysesOfGate, analysesOfHoldout, type RunningAnalysis, UNDECIDED } from "./analyses.ts";

/** The gates that one statement reads. */
const PAGE = 200;

type Run = { projectID: string; id: string; idType: string; createdTime: number };
type EntityRow = { projectID: string; id: string; entity: string };

/** The analyses that run in all projects. */
export async function runningAnalyses(db: Db): Promise<RunningAnalysis[]> {
  const experiments = await db.$queryRaw<Run[]>`
    select "projectID", experiment."id", "idType", experiment."createdTime"::float8 as "createdTime" from experiment join project on project."id" = "projectID"
    where "status" = any(${UNDECIDED}::text[]) and "deletedTime" is null`;
  const autotunes = await db.$queryRaw<Run[]>`
    select "projectID", autotune."id", "idType", autotune."createdTime"::float8 as "createdTime" from autotune join project on project."id" = "projectID"
    where "isRunning" and "deletedTime" is null`;
  const holdouts = await db.$queryRaw<EntityRow[]>`
    select "projectID", holdout."id", "entity" from holdout join project on project."id" = "projectID" where "deletedTime" is null`;
  // Units of an autotune's variants are kept as those of an experiment's groups.
  const analyses: RunningAnalysis[] = [...experiments, ...autotunes].map((one) => ({ type: "experiment", ...one }));
  for (const { projectID, entity } of holdouts) analyses.push(...analysesOfHoldout(projectID, fromText<Holdout>(entity)));
  for await (const { projectID, entity } of rollouts(db)) analyses.push(...analysesOfGate(projectID, fromText<Gate>(entity)));
  return analyses;
}

/** The gates that pass some units and fail others. */
async function* rollouts(db: Db): AsyncGenerator<EntityRow> {
  let last = { projectID: "", id: "" };
  for (;;) {
    const rows = await db.$queryRaw<EntityRow[]>`
      select "projectID", gate."id", "entity" from gate join project on project."id" = "projectID"
      where not "isArchived" and "rolloutRate" = 'INBETWEEN' and "deletedTime" is null
        and ("projectID", gate."id") > (${last.projectID}, ${last.id})
      order by "projectID", gate."id" limit ${PAGE}`;
    yield* rows;
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    last = end;
  }
}
