import { systemContext } from "../bootstrap.ts";
import { productionTiers } from "../console/environments/environment-set.ts";
import { claimGuardrailLook, type Guarded, listUnseenGates, releaseGuardrailLook } from "../console/gates/guardrail-store.ts";
import { type Guard, type GuardrailLook, guardsOf, pausedGate } from "../console/gates/guardrails.ts";
import type { Metric } from "../console/metrics/metric.ts";
import { subjectsOfGate } from "../console/results/compared-subjects.ts";
import { comparedInPhase } from "../console/results/phase.ts";
import { type Run, runOfPhase } from "../console/results/pulse-load.ts";
import { analysisOf } from "../results/analysis.ts";
import { askPercentile } from "../results/ask-percentile.ts";
import type { Analysis } from "../results/days.ts";
import { estimatesOf } from "../results/estimates.ts";
import { FAIL, PASS } from "../results/exposed.ts";
import { judged, type Sides } from "../results/guardrail.ts";
import { divided } from "../results/load-parts.ts";
import { type MomentsRow, momentsQuery } from "../results/moments-query.ts";
import { percentileEstimate } from "../results/percentiles.ts";
import type { Plan } from "../results/plan.ts";
import type { Statement } from "../results/statement.ts";
import { dailySums, NOTHING, sumsAsOf } from "../results/sums.ts";
import { dialectOf } from "../store/ask.ts";
import { type Db, repeating } from "../store/unit-of-work.ts";
import { eachBatch } from "./each-batch.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

const LOOKS_EVERY_MS = 60 * 60 * 1_000;
/** The most time for one statement. */
const TIMEOUT_MS = 60_000;
const OPERATION = "lookAtGuardrails";
/** Of a percentile, whose error follows from the events around it. */
const CONFIDENCE = 0.95;

/**
 * Looks at the guardrails of each gate in progress once an hour, on one replica. Raises alerts, and pauses automated rollouts where a guardrail
 * says so.
 */
export const guardrailLooks: Job = {
  name: "guardrailLooks",
  intervalMs: 60_000,
  async run(env) {
    const since = env.now() - LOOKS_EVERY_MS;
    for await (const one of eachBatch(env, (db: Db, after: Guarded | undefined) => listUnseenGates(db, since, after))) {
      if (env.stopping?.aborted) return;
      await lookAt(env, one, since);
    }
  },
};

/** A failure is logged: what was found out before stays, and the look is due again in an hour. */
async function lookAt(env: JobEnv, due: Guarded, since: number): Promise<void> {
  const { database, log } = env;
  const { projectID, gate } = due;
  try {
    if (!(await repeating(database, (db) => claimGuardrailLook(db, due, env.now(), since)))) return;
    const isStored = await store(env, due, await look(env, due));
    // The gate changed meanwhile: it is looked at again as it is now.
    if (!isStored) await repeating(database, (db) => releaseGuardrailLook(db, due));
  } catch (err) {
    log.warn({ err, projectID, gate: gate.id }, "The guardrails of a gate could not be looked at. They will be in an hour.");
  }
}

type Known = { metrics: Map<string, Metric>; environments: string[]; runs: Run[] };

async function look(env: JobEnv, due: Guarded): Promise<GuardrailLook[]> {
  const guards = guardsOf(due.gate);
  const known = await readKnown(env, due, guards);
  const found: GuardrailLook[] = [];
  for (const run of known.runs) found.push(...(await lookAtRule(env, due, { guards, known, run })));
  return found;
}

function readKnown({ database, now }: JobEnv, { projectID, gate }: Guarded, guards: readonly Guard[]): Promise<Known> {
  return writeAs(database, systemContext(OPERATION, now(), projectID), async (stores) => {
    const metrics = await stores.metrics.findAll(guards.map(({ metricID }) => metricID));
    const components = await stores.metrics.findAll(metrics.flatMap(({ lineage }) => lineage.metrics));
    const timeZone = await stores.settings.timeZone();
    const runs: Run[] = [];
    for (const subject of subjectsOfGate(projectID, gate))
      runs.push(runOfPhase(subject, await stores.results.startOfPhase(subject), now(), timeZone));
    return {
      metrics: new Map([...components, ...metrics].map((metric) => [metric.id, metric])),
      environments: productionTiers(await stores.environments.get()),
      runs,
    };
  });
}

type Asked = { guards: readonly Guard[]; known: Known; run: Run };

/** Each guardrail of one rule. A metric that cannot be computed has a reason. */
async function lookAtRule(env: JobEnv, { projectID, gate }: Guarded, { guards, known, run }: Asked): Promise<GuardrailLook[]> {
  const { subject, startTime, endTime, timeZone } = run;
  const compared = comparedInPhase(gate, subject.ruleID);
  const scope = { projectID, environments: known.environments, startTime, endTime, timeZone, isWithoutDays: true };
  const analysisFor = (preMs: number) => analysisOf(compared, { ...scope, preMs });
  const ids = guards.map(({ metricID }) => metricID);
  const { parts, percentiles, refused } = divided(ids, known.metrics, compared.idType);
  const sides = new Map<string, Sides | { reason: string }>(refused.map(({ metricID, reason }) => [metricID, { reason }]));
  // One metric that fails hurts no other.
  const note = async (metricID: string, find: () => Promise<Sides>) => {
    try {
      sides.set(metricID, await find());
    } catch (err) {
      if (env.stopping?.aborted) throw err;
      env.log.warn({ err, projectID, gate: gate.id, metric: metricID }, "A guardrail could not be computed.");
      sides.set(metricID, { reason: "It could not be computed. The server's log says why." });
    }
  };
  for (const { metric, plan } of parts.flat()) await note(metric.id, () => sidesOf(env, plan, analysisFor(plan.preMs)));
  for (const { metric, plan } of percentiles)
    await note(metric.id, async () => {
      const { groups } = await askPercentile((statement) => ask(env, statement), plan, analysisFor(0), dialectOf(env.database.db));
      return { failing: percentileEstimate(groups[FAIL], CONFIDENCE), passing: percentileEstimate(groups[PASS], CONFIDENCE) };
    });
  return guards.map((guard) => {
    const found = sides.get(guard.metricID) ?? { reason: "There is no such metric." };
    const isDecreaseBetter = known.metrics.get(guard.metricID)?.directionality === "decrease";
    const outcome = "reason" in found ? { isBeyond: false, reason: found.reason } : judged(found, { ...guard, isDecreaseBetter });
    return { ruleID: subject.ruleID ?? "", ...guard, ...outcome };
  });
}

async function sidesOf(env: JobEnv, plan: Plan, analysis: Analysis): Promise<Sides> {
  const groups = sumsAsOf(dailySums(await ask<MomentsRow>(env, momentsQuery([plan], analysis, dialectOf(env.database.db)))));
  const isRatio = plan.denominator !== undefined;
  const compared = { control: groups[FAIL] ?? NOTHING, test: groups[PASS] ?? NOTHING, others: [], isRatio };
  const { control, test } = estimatesOf(compared, true);
  return { failing: control, passing: test };
}

function ask<Row>({ database, stopping = new AbortController().signal }: JobEnv, { text, parameters }: Statement): Promise<Row[]> {
  const values = parameters.map(({ value }) => value);
  return database.analyse<Row>(text, values, { timeoutMs: TIMEOUT_MS, signal: stopping });
}

/** Stores what was found out and what follows from it. @returns whether the gate is still as it was looked at */
function store({ database, now }: JobEnv, { projectID, gate: seen }: Guarded, looks: readonly GuardrailLook[]): Promise<boolean> {
  const context = systemContext(OPERATION, now(), projectID);
  return writeAs(database, context, async ({ gates }) => {
    const gate = await gates.find(seen.id, { lock: true });
    if (gate?.version !== seen.version) return false;
    await gates.guardrails.save(gate.id, looks, context.now);
    const paused = pausedGate(gate, looks, context);
    if (paused) await gates.replace(gate, paused);
    return true;
  });
}
