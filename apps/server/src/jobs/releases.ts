import type { Context } from "../common/context.ts";
import { systemContext } from "../common/system-context.ts";
import { moveRelease, phasesOf } from "../console/releases/move-release.ts";
import { advanced, breached, isDue, type Phase, type Release, subjectOf } from "../console/releases/release.ts";
import { deleteEndedReleases, type Found, listGuarded } from "../console/releases/release-store.ts";
import type { Stores } from "../console/stores.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { doDue } from "./do-due.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { findBroken, isUnchecked, uncheckedMetrics } from "./release-guardrails.ts";
import { writeAs } from "./write-as.ts";

/** A phase whose metrics could not be checked for so long after its end is paused. */
const CHECK_DELAY_MS = 15 * 60 * 1_000;
const KEPT_MS = 365 * 24 * 60 * 60 * 1_000;

/** Begins the next phase of each release whose timer has run out. A guardrail that is broken comes first. */
export const releases: Job = {
  name: "releases",
  intervalMs: 1_000,
  run: (env) => doDue(env, "release", "advanceRelease", advanceDue),
};

/** Pauses releases whose guardrails are broken. */
export const releaseGuardrails: Job = {
  name: "releaseGuardrails",
  intervalMs: 10_000,
  run: (env) => pauseBroken(env),
};

/** Deletes releases a year after they ended. The audit log keeps what they changed. */
export const deleteOldReleases: Job = {
  name: "deleteOldReleases",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => deleteEndedReleases(database, now() - KEPT_MS),
};

async function advanceDue(stores: Stores, id: string, context: Context): Promise<void> {
  const release = await lockRelease(stores, id);
  if (!release || !isDue(release, context.now)) return;
  const phases = await phasesOf(stores, release);
  if (await pauseIfBroken(stores, release, phases, context)) return;
  if (!(await isUnchecked(stores, release, phases))) {
    await moveRelease(stores, release, () => advanced(release, phases, context), context);
    return;
  }
  if (context.now < (release.currentPhaseEndTime ?? 0) + CHECK_DELAY_MS) return;
  const paused = breached(release, uncheckedMetrics(release, phases), context);
  if (paused) await stores.releases.replace(release, paused);
  else await moveRelease(stores, release, () => advanced(release, phases, context), context);
}

async function pauseBroken(env: JobEnv): Promise<void> {
  const { database, log, now } = env;
  for await (const { projectID, id } of eachBatch(env, (db: Db, after: Found | undefined) => listGuarded({ db }, after))) {
    if (env.stopping?.aborted) return;
    const context = systemContext("pauseReleaseByGuardrail", now(), projectID);
    const pause = async (stores: Stores): Promise<void> => {
      const release = await lockRelease(stores, id);
      if (release) await pauseIfBroken(stores, release, await phasesOf(stores, release), context);
    };
    await writeAs(database, context, pause).catch((err: unknown) =>
      log.error({ err, projectID, release: id }, "The guardrails of a release could not be read. They will be again."),
    );
  }
}

/** @returns whether the release was paused */
async function pauseIfBroken(stores: Stores, release: Release, phases: readonly Phase[], context: Context): Promise<boolean> {
  const broken = await findBroken(stores, release, phases);
  const paused = breached(release, broken, context);
  if (paused) await stores.releases.replace(release, paused);
  return paused !== undefined;
}

/** Locks a release after the entity that it changes, in the order in which requests write them. */
async function lockRelease(stores: Stores, id: string): Promise<Release | undefined> {
  const found = await stores.releases.find(id);
  if (!found) return undefined;
  const subject = subjectOf(found);
  if (subject.type === "gate") await stores.gates.find(subject.id, { lock: true });
  else await stores.dynamicConfigs.find(subject.id, { lock: true });
  return stores.releases.find(id, { lock: true });
}
