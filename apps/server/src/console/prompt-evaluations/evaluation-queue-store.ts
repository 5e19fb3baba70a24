import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { EVALUATION_COLUMNS, ROW_COLUMNS, type StoredEvaluation, type StoredRow, toEvaluation, toRow } from "./evaluation-columns-store.ts";
import type { EvaluationRow, Progress, PromptEvaluation } from "./prompt-evaluation.ts";

/** An evaluation that a replica executes. */
export type ClaimedEvaluation = PromptEvaluation & { projectID: string; runner: string };

type Lease = { runner: string; now: number; leaseMs: number };

/**
 * Takes an evaluation of the project whose evaluations ran longest ago, and of these the one that has waited longest. It may be one whose
 * replica has not renewed its lease. Undefined if none waits.
 */
export async function claimEvaluation(db: Db, { runner, now, leaseMs }: Lease): Promise<ClaimedEvaluation | undefined> {
  const [row] = await db.$queryRaw<(StoredEvaluation & { projectID: string })[]>`
    update prompt_evaluation set runner = ${runner}, "leasedUntil" = ${now + leaseMs}, status = 'RUNNING',
      "startedTime" = coalesce("startedTime", ${now})
    where ("projectID", id) = (
      select "projectID", id from prompt_evaluation as waiting where "finishedTime" is null and "leasedUntil" < ${now}
        and exists (select from project where project.id = waiting."projectID" and "deletedTime" is null)
      order by (select max("leasedUntil") from prompt_evaluation as own where own."projectID" = waiting."projectID"), "createdTime",
        "projectID", id
      limit 1 for update of waiting skip locked
    ) returning "projectID", ${EVALUATION_COLUMNS}`;
  if (!row) return undefined;
  const { projectID, ...rest } = row;
  return { ...toEvaluation(rest), projectID, runner };
}

const isOurs = ({ projectID, id, runner }: ClaimedEvaluation) =>
  Prisma.sql`"projectID" = ${projectID} and id = ${id} and runner = ${runner} and "finishedTime" is null`;

/** @returns whether the replica still executes the evaluation: it has not been canceled or taken over */
export async function renewLease(db: Db, evaluation: ClaimedEvaluation, leasedUntil: number): Promise<boolean> {
  return (await db.$executeRaw`update prompt_evaluation set "leasedUntil" = ${leasedUntil} where ${isOurs(evaluation)}`) > 0;
}

/** Lets any replica take the evaluation. */
export async function releaseEvaluation(db: Db, evaluation: ClaimedEvaluation): Promise<void> {
  await db.$executeRaw`update prompt_evaluation set "leasedUntil" = 0 where ${isOurs(evaluation)}`;
}

/** The first rows that have not been asked about. */
export async function listPending(db: Db, { projectID, id }: ClaimedEvaluation, limit: number): Promise<EvaluationRow[]> {
  const rows = await db.$queryRaw<StoredRow[]>`
    select ${ROW_COLUMNS} from prompt_evaluation_row where "projectID" = ${projectID} and "evaluationID" = ${id} and status = 'PENDING'
    order by row limit ${limit}`;
  return rows.map(toRow);
}

/** The outcome of a row. */
export type RowOutcome = Pick<EvaluationRow, "row" | "output" | "message" | "scores" | "durationMs"> & { status: "COMPLETED" | "FAILED" };

/** Stores the outcome of a row, with the progress after it. @returns whether the replica still executes the evaluation */
export async function saveRow(db: Db, evaluation: ClaimedEvaluation, outcome: RowOutcome, progress: Progress): Promise<boolean> {
  const { row, status, output, message, scores, durationMs } = outcome;
  const { completedRows, failedRows, sums } = progress;
  const written = await db.$executeRaw`
    with ours as (
      update prompt_evaluation set "completedRows" = ${completedRows}, "failedRows" = ${failedRows}, sums = ${JSON.stringify(sums)}
      where ${isOurs(evaluation)} returning id
    )
    update prompt_evaluation_row set status = ${status}, output = ${output}, message = ${message}, scores = ${JSON.stringify(scores)},
      "durationMs" = ${durationMs}
    from ours where "projectID" = ${evaluation.projectID} and "evaluationID" = ours.id and row = ${row}`;
  return written > 0;
}

type Ending = { status: "COMPLETED" | "FAILED"; message: string | null };

export async function finishEvaluation(db: Db, evaluation: ClaimedEvaluation, { status, message }: Ending, now: number): Promise<void> {
  await db.$executeRaw`
    update prompt_evaluation set status = ${status}, message = ${message}, "finishedTime" = ${now} where ${isOurs(evaluation)}`;
}

/** Deletes evaluations that finished before a time, ms, with their rows. */
export async function deleteOldEvaluations(db: Db, before: number): Promise<void> {
  await db.$executeRaw`
    with old as (delete from prompt_evaluation where "finishedTime" < ${before} returning "projectID", id)
    delete from prompt_evaluation_row using old where prompt_evaluation_row."projectID" = old."projectID" and "evaluationID" = old.id`;
}
