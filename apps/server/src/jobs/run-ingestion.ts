import { systemContext } from "../common/system-context.ts";
import { listIngestedDays } from "../console/ingestion/ingested-day-store.ts";
import { finalStatus, followedBy, isSettled, newRunDay, type Outcome, type RunDay, settled } from "../console/ingestion/ingestion-run.ts";
import type { IngestionSource } from "../console/ingestion/ingestion-source.ts";
import { type ClaimedRun, releaseRun, renewRunLease, savePlan, saveRunDay, saveRunStatus } from "../console/ingestion/run-queue-store.ts";
import { isConnectionLoss } from "../store/database/database-errors.ts";
import { writing } from "../store/database/unit-of-work.ts";
import { explainFailure, NotComputable } from "../warehouse/source-tables.ts";
import { WarehouseFailure } from "../warehouse/warehouse.ts";
import { changedDays, ingestDay, Left } from "./ingest-day.ts";
import type { JobEnv } from "./jobs.ts";
import { whileLeased } from "./while-leased.ts";
import { writeAs } from "./write-as.ts";

/** The days before yesterday that may still get rows. */
const LATE_DAYS = 6;

type Run = { env: JobEnv; run: ClaimedRun; options: { timeoutMs: number; signal: AbortSignal } };

/**
 * Executes a run that this replica has claimed, from where an earlier replica left it. A day that fails does not stop the others.
 * @param timeoutMs the most time for one statement
 */
export async function runIngestion(env: JobEnv, run: ClaimedRun, timeoutMs: number): Promise<void> {
  const { database, stopping } = env;
  try {
    await whileLeased(
      env,
      (until) => renewRunLease(database.db, run, until),
      (signal) => copyDays({ env, run, options: { timeoutMs, signal } }),
    );
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    if (stopping?.aborted) await releaseRun(database.db, run);
  }
}

async function copyDays(work: Run): Promise<void> {
  const { env, run } = work;
  requireOurs(await saveRunStatus(env.database.db, run, "running", env.now()));
  run.history = followedBy(run.history, "running", env.now());
  if (!run.isPlanned) await plan(work);
  // The latest days come first, unless someone requested a period in its order.
  const ordered = run.trigger === "schedule" ? run.days.toSorted((a, b) => b.day - a.day) : run.days;
  for (const day of ordered) if (!isSettled(day)) await copyDay(work, day);
  requireOurs(await saveRunStatus(env.database.db, run, finalStatus(run.days), env.now()));
}

/** Adds the days before yesterday that lack rows. */
async function plan(work: Run): Promise<void> {
  const { env, run } = work;
  const late: RunDay[] = [];
  for (const { source, day } of run.days)
    for (const lateDay of await lateDays(work, source, day)) late.push(newRunDay(source, lateDay, env.now()));
  requireOurs(await writing(env.database, (db) => savePlan(db, run, late, env.now())));
  run.days = [...run.days, ...late];
}

/** The days before yesterday that lack rows, since the first copied day. Older days are copied only if someone requests a backfill. */
async function lateDays(work: Run, name: string, yesterday: number): Promise<number[]> {
  const { env, run, options } = work;
  const { projectID } = run;
  const known = await listIngestedDays(env.database.db, { projectID, from: 0, to: yesterday - 1, sources: [name] });
  const states = new Map(known.map(({ day, state }) => [day, state]));
  const first = Math.min(...states.keys());
  const days = Array.from({ length: LATE_DAYS }, (_, index) => yesterday - LATE_DAYS + index).filter((day) => day >= first);
  const complete = days.filter((day) => states.get(day) === "complete");
  const found = complete.length === 0 ? undefined : await readSource(work, name);
  if (!found || "reason" in found) return days.filter((day) => states.get(day) !== "complete");
  try {
    const changed = await changedDays(env, { projectID, source: found.source, days: complete }, options);
    return days.filter((day) => states.get(day) !== "complete" || changed.includes(day));
  } catch (err) {
    rethrow(work, err);
    env.log.warn({ err, projectID, run: run.id, source: name }, "A warehouse could not say which days have new rows.");
    return days.filter((day) => states.get(day) !== "complete");
  }
}

async function copyDay(work: Run, day: RunDay): Promise<void> {
  const { env } = work;
  const begun = { ...day, history: followedBy(day.history, "running", env.now()) };
  await save(work, begun);
  await save(work, settled(begun, await ingestSourceDay(work, begun), env.now()));
}

async function ingestSourceDay(work: Run, { source: name, day }: RunDay): Promise<Outcome> {
  const { env, run, options } = work;
  const { projectID } = run;
  const found = await readSource(work, name);
  if ("reason" in found) return { status: "failure", message: found.reason };
  try {
    return { status: "success", ...(await ingestDay(env, { projectID, source: found.source, day }, options)) };
  } catch (err) {
    rethrow(work, err);
    env.log.warn({ err, projectID, run: run.id, source: name, day }, "A day could not be copied.");
    return { status: "failure", message: explainError(err) };
  }
}

/** The source as it is now, or why it is not copied. */
function readSource({ env, run }: Run, name: string): Promise<{ source: IngestionSource } | { reason: string }> {
  return writeAs(env.database, systemContext("runIngestion", env.now(), run.projectID), async ({ ingestion, warehouse }) => {
    const [source, { type }] = await Promise.all([ingestion.find(name), warehouse.get()]);
    if (!source) return { reason: "The source was deleted." };
    if (source.data.dataset !== run.dataset) return { reason: `The source has the dataset ${source.data.dataset} now.` };
    if (run.trigger === "schedule" && !source.enabled) return { reason: "The source was disabled." };
    if (type === null) return { reason: "The project has no warehouse." };
    if (type !== source.type) return { reason: `The project's warehouse is ${type}, and the source is of the type ${source.type}.` };
    return { source };
  });
}

function explainError(error: unknown): string {
  if (error instanceof NotComputable || error instanceof WarehouseFailure) return explainFailure(error);
  return "It failed for a reason that only the server's log has.";
}

/** Throws errors other than failures of a day. */
function rethrow({ options: { signal } }: Run, error: unknown): void {
  if (signal.aborted) throw new Left();
  if (error instanceof Left || (!(error instanceof WarehouseFailure) && isConnectionLoss(error))) throw error;
}

/** @throws Left if this replica lost the run */
async function save({ env, run }: Run, day: RunDay): Promise<void> {
  requireOurs(await saveRunDay(env.database.db, run, day, env.now()));
  run.days = run.days.map((one) => (one.source === day.source && one.day === day.day ? day : one));
}

function requireOurs(isOurs: boolean): void {
  if (!isOurs) throw new Left();
}
