import { systemContext } from "../common/system-context.ts";
import type { Guard } from "../console/common/guards.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import type { Metric } from "../console/metrics/metric.ts";
import type { GuardedType } from "../console/results/guardable.ts";
import { claimGuardrailCheck, type Guarded, listUnseen, releaseGuardrailCheck } from "../console/results/guardrail-store.ts";
import { readSources, type SourcesRead } from "../console/results/sources-read.ts";
import { divided, NO_METRIC, type Planned, type PlannedPercentile } from "../results/plans/load-parts.ts";
import type { Plan } from "../results/plans/plan.ts";
import { askPercentile } from "../results/pulse/ask-percentile.ts";
import { askSums } from "../results/pulse/ask-sums.ts";
import { estimateGroups } from "../results/pulse/estimates.ts";
import { compareSides, GUARDRAIL_ALPHA, type Sides } from "../results/pulse/guardrail.ts";
import { estimatePercentiles } from "../results/pulse/percentiles.ts";
import { NOTHING, sumsAsOf } from "../results/pulse/sums.ts";
import type { MomentsRow } from "../results/sql/moments-query.ts";
import { createAnalysis } from "../results/sql/unit-source.ts";
import { type Db, repeating } from "../store/database/unit-of-work.ts";
import type { ResultEngine } from "../warehouse/result-engines.ts";
import { explainFailure, NotComputable } from "../warehouse/source-tables.ts";
import { WarehouseFailure } from "../warehouse/warehouse.ts";
import { eachBatch } from "./each-batch.ts";
import { type GuardedKind, guardedExperiments, guardedGates, type Watch } from "./guarded-kinds.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { openResultEngines } from "./open-result-engines.ts";
import { writeAs } from "./write-as.ts";

const CHECK_INTERVAL_MS = 60 * 60 * 1_000;
/** The most time for one statement. */
const TIMEOUT_MS = 60_000;
const OPERATION = "lookAtGuardrails";
/** The confidence of a percentile's interval. Its error follows from the events around it. */
const CONFIDENCE = 0.95;

/**
 * Checks once an hour, on one replica, the guardrails of each gate in progress and of each active experiment. Raises alerts, and pauses a
 * gate's automated rollouts where a guardrail says so.
 */
export const guardrailChecks: Job = {
  name: "guardrailChecks",
  intervalMs: 60_000,
  run: (env) => checkGuardrailsOf(env),
};

/** Checks the guardrails that are due. @param projectID only those of a project */
export async function checkGuardrailsOf(env: JobEnv, projectID?: string): Promise<void> {
  await checkEach(env, guardedGates, projectID);
  await checkEach(env, guardedExperiments, projectID);
}

async function checkEach<Type extends GuardedType, Check>(
  env: JobEnv,
  kind: Kind<Type, Check>,
  projectID: string | undefined,
): Promise<void> {
  const since = env.now() - CHECK_INTERVAL_MS;
  const list = (db: Db, after: Guarded<Type> | undefined) => listUnseen(db, kind.type, since, { projectID, after });
  for await (const one of eachBatch(env, list)) {
    if (env.stopping?.aborted) return;
    await checkGuardrails(env, kind, one, since);
  }
}

type Kind<Type extends GuardedType, Check> = GuardedKind<Type, Guarded<Type>["entity"], Check>;

/** A failure is logged: earlier findings stay, and the check is due again in an hour. */
async function checkGuardrails<Type extends GuardedType, Check>(
  env: JobEnv,
  kind: Kind<Type, Check>,
  due: Guarded<Type>,
  since: number,
): Promise<void> {
  const { database, log } = env;
  const { projectID, type, entity } = due;
  try {
    if (!(await repeating(database, (db) => claimGuardrailCheck(db, due, env.now(), since)))) return;
    const isStored = await store(env, kind, due, await check(env, kind, due));
    // It changed during the check: it is checked again in its new version.
    if (!isStored) await repeating(database, (db) => releaseGuardrailCheck(db, due));
  } catch (err) {
    log.warn({ err, projectID, [type]: entity.id }, `The guardrails of the ${type} could not be checked. They will be in an hour.`);
  }
}

type Known = { metrics: Map<string, Metric>; environments: string[]; watches: Watch[] } & SourcesRead;

async function check<Type extends GuardedType, Check>(env: JobEnv, kind: Kind<Type, Check>, due: Guarded<Type>): Promise<Check[]> {
  const guards = kind.collectGuards(due.entity);
  const known = await readKnown(env, kind, due, guards);
  const found: Check[] = [];
  for (const watch of known.watches) {
    const sides = await readSides(env, due, { guards, known, watch });
    for (const testID of watch.testIDs)
      for (const guard of guards) {
        const of = sides.get(guard.metricID) ?? { reason: NO_METRIC };
        const isDecreaseBetter = known.metrics.get(guard.metricID)?.directionality === "decrease";
        const outcome =
          "reason" in of
            ? { isBeyond: false, reason: of.reason }
            : compareSides(of.sides(testID), { ...guard, isDecreaseBetter }, kind.sides);
        found.push(kind.toCheck(watch, testID, guard, outcome));
      }
  }
  return found;
}

function readKnown<Type extends GuardedType, Check>(
  { database, now }: JobEnv,
  kind: Kind<Type, Check>,
  due: Guarded<Type>,
  guards: readonly Guard[],
): Promise<Known> {
  return writeAs(database, systemContext(OPERATION, now(), due.projectID), async (stores) => {
    const metrics = await stores.metrics.findAll(guards.map(({ metricID }) => metricID));
    const components = await stores.metrics.findAll(metrics.flatMap(({ lineage }) => lineage.metrics));
    return {
      metrics: new Map([...components, ...metrics].map((metric) => [metric.id, metric])),
      environments: productionTiers(await stores.environments.get()),
      watches: await kind.watches(stores, due, now()),
      ...(await readSources(stores, metrics, "groups" in due.entity ? due.entity : undefined)),
    };
  });
}

/** Both sides of a comparison with a group. */
type FindSides = (testID: string) => Sides;
type Asked = { guards: readonly Guard[]; known: Known; watch: Watch };

/** The sides by metric. A metric that cannot be computed has a reason. */
async function readSides(env: JobEnv, { projectID, type, entity }: Guarded<GuardedType>, { guards, known, watch }: Asked) {
  const { startTime, endTime, timeZone } = watch.run;
  const scope = { projectID, environments: known.environments, startTime, endTime, timeZone, isWithoutDays: true };
  const analysisFor = (...plans: Plan[]) => createAnalysis(watch.compared, { ...scope, plans });
  const ids = guards.map(({ metricID }) => metricID);
  const { parts, percentiles, refused } = divided(ids, known.metrics, watch.compared);
  const options = { timeoutMs: TIMEOUT_MS, signal: env.stopping ?? new AbortController().signal };
  const engines = openResultEngines(env, { projectID, operation: OPERATION, known, options });
  const found = new Map<string, { sides: FindSides } | { reason: string }>(refused.map(({ metricID, reason }) => [metricID, { reason }]));
  // One metric that fails hurts no other.
  const note = async (metricID: string, find: () => Promise<FindSides>) => {
    try {
      found.set(metricID, { sides: await find() });
    } catch (err) {
      if (env.stopping?.aborted) throw err;
      env.log.warn({ err, projectID, [type]: entity.id, metric: metricID }, "A guardrail could not be computed.");
      const isOfWarehouse = err instanceof NotComputable || err instanceof WarehouseFailure;
      found.set(metricID, { reason: isOfWarehouse ? explainFailure(err) : "It could not be computed. The server's log says why." });
    }
  };
  for (const one of parts.flat())
    await note(one.metric.id, async () => sidesOfSums(one, await engines.engineFor([one.plan], analysisFor(one.plan)), watch));
  for (const one of percentiles)
    await note(one.metric.id, async () => sidesOfPercentile(one, await engines.engineFor([one.plan], analysisFor()), watch));
  return found;
}

async function sidesOfSums({ plan }: Planned, { ask, analysis, dialect }: ResultEngine, { controlID }: Watch): Promise<FindSides> {
  const [daily = []] = await askSums((statement) => ask<MomentsRow>(statement), [plan], analysis, dialect);
  const groups = sumsAsOf(daily);
  const isRatio = plan.denominator !== undefined;
  return (testID) => {
    const others = Object.entries(groups).flatMap(([id, sums]) => (id === controlID || id === testID ? [] : [sums]));
    return estimateGroups(
      { control: groups[controlID] ?? NOTHING, test: groups[testID] ?? NOTHING, others, isRatio },
      { isCupedAsked: true, alpha: GUARDRAIL_ALPHA },
    );
  };
}

async function sidesOfPercentile(
  { plan }: PlannedPercentile,
  { ask, analysis, dialect }: ResultEngine,
  { controlID }: Watch,
): Promise<FindSides> {
  const found = await askPercentile(ask, plan, analysis, dialect);
  return (testID) => estimatePercentiles(found, { controlID, testID }, { isCupedAsked: false, confidence: CONFIDENCE });
}

/** Stores findings and their consequences. @returns whether the gate or experiment is unchanged since the check */
function store<Type extends GuardedType, Check>(
  { database, now }: JobEnv,
  kind: Kind<Type, Check>,
  { projectID, entity: seen }: Guarded<Type>,
  checks: readonly Check[],
): Promise<boolean> {
  const context = systemContext(OPERATION, now(), projectID);
  return writeAs(database, context, async (stores) => {
    const { find, guardrails } = kind.selectStore(stores);
    const entity = await find(seen.id, { lock: true });
    if (entity?.version !== seen.version) return false;
    await guardrails.save(seen.id, checks, context.now);
    await kind.afterwards(stores, entity, checks, context);
    return true;
  });
}
