import type { Db } from "../../store/database/unit-of-work.ts";

/** Whether loads of a project wait or run. */
export async function hasUnfinishedLoads(db: Db, projectID: string): Promise<boolean> {
  const rows = await db.$queryRaw<object[]>`
    select from pulse_load where "projectID" = ${projectID} and "finishedTime" is null limit 1`;
  return rows.length > 0;
}

/** Makes the checks of a project's guardrails due again: earlier ones may have seen fewer events. */
export async function repeatGuardrailChecks(db: Db, projectID: string): Promise<void> {
  await db.$executeRaw`update guardrail_check set "beginTime" = 0 where "projectID" = ${projectID}`;
}

/** Whether no events of a project wait to be sent to ClickHouse. */
export async function areDelivered(db: Db, projectID: string): Promise<boolean> {
  if (!db.clickhouse) return true;
  const named = `%${JSON.stringify(projectID)}%`;
  const rows = await db.$queryRaw<object[]>`
    select from event_outbox where events like ${named} or "experimentExposures" like ${named} or "checkExposures" like ${named} limit 1`;
  return rows.length === 0;
}
