import type { Context } from "../common/context.ts";
import { type Guard, guardsOf } from "../console/common/guards.ts";
import type { Experiment } from "../console/experiments/experiment.ts";
import { type ExperimentGuardrailLook, guardedGroups, guardsOfExperiment } from "../console/experiments/experiment-guardrails.ts";
import type { Gate } from "../console/gates/gate.ts";
import { type GuardrailLook, pausedGate } from "../console/gates/guardrails.ts";
import { subjectsOfGate } from "../console/results/compared-subjects.ts";
import type { Guarded, GuardedType } from "../console/results/guardrail-store.ts";
import { comparedInPhase } from "../console/results/phase.ts";
import { type Run, runOfExperiment, runOfPhase } from "../console/results/pulse-load.ts";
import type { Stores } from "../console/stores.ts";
import { GROUP_SIDES, type Judged, RULE_SIDES, type SideNames } from "../results/pulse/guardrail.ts";
import { type Compared, comparedByExperiment } from "../results/sql/compared.ts";
import { FAIL, PASS } from "../results/sql/exposed.ts";

/** The groups that are compared with one of them. */
export type Watch = { run: Run; compared: Compared; controlID: string; testIDs: readonly string[] };

type Store<Entity, Look> = {
  find(id: string, options: { lock: true }): Promise<Entity | undefined>;
  guardrails: { save(id: string, looks: readonly Look[], now: number): Promise<void> };
};

/** What looks need to know about a kind of entity with guardrails. */
export type GuardedKind<Type extends GuardedType, Entity extends { version: number }, Look> = {
  type: Type;
  sides: SideNames;
  guardsOf(entity: Entity): Guard[];
  /** What a look compares now, ms. */
  watches(stores: Stores, guarded: Guarded<Type>, now: number): Promise<Watch[]>;
  lookOf(watch: Watch, testID: string, guard: Guard, outcome: Judged): Look;
  storeOf(stores: Stores): Store<Entity, Look>;
  /** What follows from a look beyond alerts. */
  afterwards(stores: Stores, entity: Entity, looks: readonly Look[], context: Context): Promise<void>;
};

export const guardedGates: GuardedKind<"gate", Gate, GuardrailLook> = {
  type: "gate",
  sides: RULE_SIDES,
  guardsOf: (gate) => guardsOf(gate.monitoringMetrics),

  async watches(stores, { projectID, entity: gate }, now) {
    const timeZone = await stores.settings.timeZone();
    const watches: Watch[] = [];
    for (const subject of subjectsOfGate(projectID, gate)) {
      const run = runOfPhase(subject, await stores.results.startOfPhase(subject), now, timeZone);
      watches.push({ run, compared: comparedInPhase(gate, subject.ruleID), controlID: FAIL, testIDs: [PASS] });
    }
    return watches;
  },

  lookOf({ run }, _, guard, { testUnits, controlUnits, ...outcome }) {
    const units = testUnits !== undefined && controlUnits !== undefined && { passingUnits: testUnits, failingUnits: controlUnits };
    return { ruleID: run.subject.ruleID ?? "", ...guard, ...units, ...outcome };
  },

  storeOf: ({ gates }) => gates,

  async afterwards({ gates }, gate, looks, context) {
    const paused = pausedGate(gate, looks, context);
    if (paused) await gates.replace(gate, paused);
  },
};

export const guardedExperiments: GuardedKind<"experiment", Experiment, ExperimentGuardrailLook> = {
  type: "experiment",
  sides: GROUP_SIDES,
  guardsOf: guardsOfExperiment,

  async watches({ settings }, { entity: experiment }, now) {
    const run = runOfExperiment(experiment, now, await settings.timeZone());
    const { controlGroupID: controlID } = experiment;
    return [{ run, compared: comparedByExperiment(experiment), controlID, testIDs: guardedGroups(experiment) }];
  },

  lookOf: ({ controlID }, testID, { metricID, maxHarmPercent }, outcome) => ({
    ...{ groupID: testID, controlGroupID: controlID, metricID, maxHarmPercent },
    ...outcome,
  }),

  storeOf: ({ experiments }) => experiments,

  async afterwards() {},
};
