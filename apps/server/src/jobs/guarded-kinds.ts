import type { Context } from "../common/context.ts";
import { collectGuards, type Guard } from "../console/common/guards.ts";
import type { Experiment } from "../console/experiments/experiment.ts";
import { type ExperimentGuardrailCheck, guardedGroups, guardsOfExperiment } from "../console/experiments/experiment-guardrails.ts";
import type { Gate } from "../console/gates/gate.ts";
import { type GuardrailCheck, pausedGate } from "../console/gates/guardrails.ts";
import { subjectsOfGate } from "../console/results/compared-subjects.ts";
import type { GuardedType } from "../console/results/guardable.ts";
import type { Guarded } from "../console/results/guardrail-store.ts";
import { comparedInPhase } from "../console/results/phase.ts";
import { type Run, runOfExperiment, runOfPhase } from "../console/results/pulse-load.ts";
import type { Stores } from "../console/stores.ts";
import { GROUP_SIDES, type GuardrailOutcome, RULE_SIDES, type SideNames } from "../results/pulse/guardrail.ts";
import { FAIL, PASS } from "../results/sql/exposed.ts";
import { experimentUnitSource, type UnitSource } from "../results/sql/unit-source.ts";

/** The groups that are compared with one of them. */
export type Watch = { run: Run; compared: UnitSource; controlID: string; testIDs: readonly string[] };

type Store<Entity, Check> = {
  find(id: string, options: { lock: true }): Promise<Entity | undefined>;
  guardrails: { save(id: string, checks: readonly Check[], now: number): Promise<void> };
};

/** The properties that checks need of a kind of entity with guardrails. */
export type GuardedKind<Type extends GuardedType, Entity extends { version: number }, Check> = {
  type: Type;
  sides: SideNames;
  collectGuards(entity: Entity): Guard[];
  /** The comparisons of a check now, ms. */
  watches(stores: Stores, guarded: Guarded<Type>, now: number): Promise<Watch[]>;
  toCheck(watch: Watch, testID: string, guard: Guard, outcome: GuardrailOutcome): Check;
  selectStore(stores: Stores): Store<Entity, Check>;
  /** The consequences of a check beyond alerts. */
  afterwards(stores: Stores, entity: Entity, checks: readonly Check[], context: Context): Promise<void>;
};

/** The guardrails of the phase that a release of the gate is in. */
function guardsOfRelease({ activeRelease }: Gate) {
  return (activeRelease?.guardrails ?? []).map(({ name, type, maxHarmPercent }) => ({ name, type, guardrail: { maxHarmPercent } }));
}

export const guardedGates: GuardedKind<"gate", Gate, GuardrailCheck> = {
  type: "gate",
  sides: RULE_SIDES,
  collectGuards: (gate) => collectGuards([...gate.monitoringMetrics, ...guardsOfRelease(gate)]),

  async watches(stores, { projectID, entity: gate }, now) {
    const timeZone = await stores.settings.timeZone();
    const watches: Watch[] = [];
    for (const subject of subjectsOfGate(projectID, gate)) {
      const run = runOfPhase(subject, await stores.results.startOfPhase(subject), now, timeZone);
      watches.push({ run, compared: comparedInPhase(gate, subject.ruleID), controlID: FAIL, testIDs: [PASS] });
    }
    return watches;
  },

  toCheck({ run }, _, guard, { testUnits, controlUnits, ...outcome }) {
    const units = testUnits !== undefined && controlUnits !== undefined && { passingUnits: testUnits, failingUnits: controlUnits };
    return { ruleID: run.subject.ruleID ?? "", ...guard, ...units, ...outcome };
  },

  selectStore: ({ gates }) => gates,

  async afterwards({ gates }, gate, checks, context) {
    const paused = pausedGate(gate, checks, context);
    if (paused) await gates.replace(gate, paused);
  },
};

export const guardedExperiments: GuardedKind<"experiment", Experiment, ExperimentGuardrailCheck> = {
  type: "experiment",
  sides: GROUP_SIDES,
  collectGuards: guardsOfExperiment,

  async watches({ settings }, { entity: experiment }, now) {
    const run = runOfExperiment(experiment, now, await settings.timeZone());
    const { controlGroupID: controlID } = experiment;
    return [{ run, compared: experimentUnitSource(experiment), controlID, testIDs: guardedGroups(experiment) }];
  },

  toCheck: ({ controlID }, testID, { metricID, maxHarmPercent }, outcome) => ({
    ...{ groupID: testID, controlGroupID: controlID, metricID, maxHarmPercent },
    ...outcome,
  }),

  selectStore: ({ experiments }) => experiments,

  async afterwards() {},
};
