import { systemContext } from "../common/system-context.ts";
import { decideBy, explorationAt, isSameRun } from "../console/autotunes/autotune-check.ts";
import { claimAutotuneCheck, type Due, listUnseen, releaseAutotuneCheck } from "../console/autotunes/autotune-progress-store.ts";
import { areEqual, computeShares, toShares } from "../console/autotunes/autotune-shares.ts";
import { attributionMs } from "../console/autotunes/autotune-windows.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import { learn, outcomeEvents, trafficFor } from "../results/pulse/bandit.ts";
import { type BanditRow, banditQuery } from "../results/sql/bandit-query.ts";
import { eventDialect } from "../store/database/ask.ts";
import { type Db, repeating } from "../store/database/unit-of-work.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

const CHECK_INTERVAL_MS = 60 * 60 * 1_000;
/** The most time to count the units and outcomes of one autotune. */
const TIMEOUT_MS = 60_000;
const OPERATION = "lookAtAutotune";

type Found = ReturnType<typeof learn>;

/** Checks each running autotune once an hour, on one replica: counts outcomes, and changes shares of traffic or decides. */
export const autotuneChecks: Job = {
  name: "autotuneChecks",
  intervalMs: 60_000,
  async run(env) {
    const since = env.now() - CHECK_INTERVAL_MS;
    for await (const one of eachBatch(env, (db: Db, after: Due | undefined) => listUnseen(db, since, after))) {
      if (env.stopping?.aborted) return;
      await checkAutotune(env, one, since);
    }
  },
};

/** A failure is logged: earlier findings stay, and the check is due again in an hour. */
async function checkAutotune(env: JobEnv, due: Due, since: number): Promise<void> {
  const { database, log } = env;
  const { projectID, autotune } = due;
  try {
    if (!(await repeating(database, (db) => claimAutotuneCheck(db, due, env.now(), since)))) return;
    const found = learn(autotune, await count(env, due));
    const isStored = await store(env, due, found);
    // Its settings changed during the check: it is checked again with these.
    if (!isStored) await repeating(database, (db) => releaseAutotuneCheck(db, due));
  } catch (err) {
    log.warn({ err, projectID, autotune: autotune.id }, "The outcomes of an autotune could not be counted. They will be in an hour.");
  }
}

async function count(env: JobEnv, { projectID, autotune }: Due): Promise<BanditRow[]> {
  const { database, now, stopping = new AbortController().signal } = env;
  const environments = await writeAs(database, systemContext(OPERATION, now(), projectID), async (stores) =>
    productionTiers(await stores.environments.get()),
  );
  const { id, variants, idType } = autotune;
  const { text, parameters } = banditQuery(
    {
      projectID,
      environments,
      exposureSource: { type: "experiment", id, groupIDs: variants.map((variant) => variant.id) },
      idType,
      outcome: outcomeEvents(autotune),
      attributionMs: attributionMs(autotune),
      startTime: autotune.startTime ?? now(),
      endTime: now() + 1,
    },
    eventDialect(database.db),
  );
  const values = parameters.map(({ value }) => value);
  return database.analyse<BanditRow>(text, values, { timeoutMs: TIMEOUT_MS, signal: stopping });
}

/** Stores findings and their consequences. @returns whether the counted autotune is still the present one */
async function store({ database, now }: JobEnv, { projectID, autotune: seen }: Due, { learned, weights }: Found): Promise<boolean> {
  const context = systemContext(OPERATION, now(), projectID);
  return writeAs(database, context, async ({ autotunes }) => {
    const autotune = await autotunes.find(seen.id, { lock: true });
    if (!isSameRun(autotune, seen)) return false;
    await autotunes.progress.save(autotune, learned, context.now);
    const decided = decideBy(autotune, weights, context);
    if (decided) {
      const after = await autotunes.replace(autotune, decided);
      await autotunes.days.save(after, learned, computeShares(after, undefined), context.now);
      return true;
    }
    const own = autotunes.weights(autotune.id);
    const before = await own.get();
    const shares = toShares(trafficFor(autotune, weights, explorationAt(autotune, context.now)));
    await autotunes.days.save(autotune, learned, shares, context.now);
    if (areEqual(shares, computeShares(autotune, before))) return true;
    const { startTime, version, createdTime } = { ...before, startTime: autotune.startTime ?? context.now };
    await own.replace(before, { startTime, shares, version: version + 1, createdTime: version === 0 ? context.now : createdTime });
    return true;
  });
}
