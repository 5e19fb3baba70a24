import {
  type CompiledRule,
  type CompiledSpec,
  type Dependency,
  defaultDecision,
  delegatedDecision,
  failedDecision,
  passedDecision,
  unsupportedDecision,
} from "./compile.ts";
import type { Test } from "./condition.ts";
import { type Decision, NO_EXPOSURES, type Outcome } from "./decision.ts";
import type { EvaluationRuntime } from "./runtime.ts";
import { type Subject, toSubject } from "./subject.ts";
import type { User } from "./user.ts";
import { text } from "./value.ts";

/** The longest chain of dependencies below the evaluated spec. A cycle is an endless chain. */
const MAX_CHAIN_LENGTH = 50;

/** The inputs of an evaluation besides the user. */
export type Situation = {
  runtime: EvaluationRuntime;
  gate(name: string): CompiledSpec | undefined;
  config(name: string): CompiledSpec | undefined;
};

/** One user's evaluation of one spec, or of all. */
export type Evaluation = Situation & {
  subject: Subject;
  /** The number of this evaluation. Cached results with this number belong to it. */
  stamp: number;
  /** The number of specs that are being evaluated above the current one. */
  depth: number;
  /** The chain was too long. Results of specs that led there are not cached, since they depend on where the chain began. */
  broken: boolean;
};

let evaluations = 0;

export function newEvaluation({ runtime, gate, config }: Situation, user: User): Evaluation {
  return { runtime, gate, config, subject: toSubject(user), stamp: ++evaluations, depth: 0, broken: false };
}

/** Evaluates a requested spec. The result does not depend on earlier parts of the same evaluation. */
export function evaluate(evaluation: Evaluation, compiled: CompiledSpec): Outcome {
  if (compiled.stamp === evaluation.stamp) return compiled.outcome as Outcome;
  evaluation.depth = 0;
  evaluation.broken = false;
  const decided = decide(evaluation, compiled);
  return remember(evaluation, compiled, evaluation.broken ? unsupportedDecision(compiled).alone : decided);
}

function remember(evaluation: Evaluation, compiled: CompiledSpec, outcome: Outcome): Outcome {
  compiled.stamp = evaluation.stamp;
  compiled.outcome = outcome;
  return outcome;
}

/** The dependencies of a spec that its evaluation has reached so far. */
type Trail = { exposures: Decision[]; height: number; supported: boolean };

export function newTrail(): Trail {
  return { exposures: [], height: 0, supported: true };
}

function decide(evaluation: Evaluation, compiled: CompiledSpec): Outcome {
  let trail: Trail | null = null;
  for (const rule of compiled.rules) {
    if (rule.unsupported) return unsupportedDecision(compiled).alone;
    let holds = passesTests(evaluation, rule);
    if (rule.dependencies.length > 0) {
      trail ??= newTrail();
      // Even if a test failed, since exposures include all of the rule's dependencies.
      for (const dependency of rule.dependencies) holds = fulfils(evaluation, dependency, trail) && holds;
      if (!trail.supported) return unsupportedDecision(compiled).alone;
    }
    if (!holds) continue;
    const delegate = rule.delegate === null ? undefined : evaluation.config(rule.delegate);
    if (delegate) return delegated(evaluation, compiled, rule, delegate, trail ?? newTrail());
    const passes = passesPercentage(evaluation, rule);
    return along(trail, passes ? passedDecision(compiled, rule) : failedDecision(compiled, rule));
  }
  return along(trail, defaultDecision(compiled));
}

/**
 * The decision of a spec if the tests of its rules settle it. Undefined if it also depends on another spec or on a hash of the unit.
 * Users with the same test results have the same settled decisions.
 */
export function settledDecision(evaluation: Evaluation, compiled: CompiledSpec): Decision | undefined {
  for (const rule of compiled.rules) {
    if (rule.unsupported) return unsupportedDecision(compiled);
    if (!isSettledByTests(rule)) return undefined;
    if (!passesTests(evaluation, rule)) continue;
    if (rule.delegate !== null) return undefined;
    if (rule.passPercentage === 100) return passedDecision(compiled, rule);
    return rule.passPercentage === 0 ? failedDecision(compiled, rule) : undefined;
  }
  return defaultDecision(compiled);
}

/** Whether the tests of a rule tell whether its conditions hold, and many users share their results. */
export function isSettledByTests({ dependencies, tests }: CompiledRule): boolean {
  return dependencies.length === 0 && !tests.some(({ isByChance }) => isByChance);
}

function passesTests(evaluation: Evaluation, { tests }: CompiledRule): boolean {
  for (const test of tests) if (!passesTest(evaluation, test)) return false;
  return true;
}

/** Whether a test holds. It is run once per evaluation. */
export function passesTest({ subject, runtime, stamp }: Evaluation, test: Test): boolean {
  if (test.stamp !== stamp) {
    test.held = test.holds(subject, runtime);
    test.stamp = stamp;
  }
  return test.held;
}

/** The number of buckets for percentages, which have two decimals. */
const PERCENTAGE_BUCKETS = 10_000;

export function passesPercentage(evaluation: Evaluation, rule: CompiledRule): boolean {
  const { passPercentage } = rule;
  if (passPercentage === 100) return true;
  if (passPercentage === 0) return false;
  return percentageBucket(evaluation, rule) < passPercentage * 100;
}

/** The bucket of the rule's unit, 0–9999. */
export function percentageBucket({ subject, runtime }: Evaluation, rule: CompiledRule): number {
  return runtime.bucket(rule.hashPrefix + (text(rule.unitID(subject)) ?? ""), PERCENTAGE_BUCKETS);
}

function along(trail: Trail | null, decision: Decision): Outcome {
  if (trail === null) return decision.alone;
  const exposures = trail.exposures.length > 0 ? trail.exposures : NO_EXPOSURES;
  return { decision, exposures, undelegatedExposures: exposures, height: trail.height };
}

function delegated(evaluation: Evaluation, compiled: CompiledSpec, rule: CompiledRule, delegate: CompiledSpec, trail: Trail): Outcome {
  const undelegatedExposures = trail.exposures.length > 0 ? [...trail.exposures] : NO_EXPOSURES;
  const outcome = follow(evaluation, delegate, trail);
  for (const exposure of outcome.exposures) expose(trail.exposures, exposure);
  const exposures = trail.exposures.length > 0 ? trail.exposures : NO_EXPOSURES;
  const decision = delegatedDecision(compiled, rule, delegate, outcome.decision);
  return { decision, exposures, undelegatedExposures, height: trail.height };
}

/** Evaluates a dependency of another spec, once per evaluation. */
function follow(evaluation: Evaluation, compiled: CompiledSpec, trail: Trail): Outcome {
  let outcome = compiled.stamp === evaluation.stamp ? (compiled.outcome as Outcome) : undefined;
  if (outcome === undefined) {
    if (evaluation.depth === MAX_CHAIN_LENGTH) evaluation.broken = true;
    if (evaluation.broken) return unsupported(compiled, trail);
    evaluation.depth++;
    outcome = decide(evaluation, compiled);
    evaluation.depth--;
    if (evaluation.broken) return unsupported(compiled, trail);
    remember(evaluation, compiled, outcome);
  }
  trail.height = Math.max(trail.height, outcome.height + 1);
  if (outcome.decision.reason === "unsupported" || trail.height > MAX_CHAIN_LENGTH) return unsupported(compiled, trail);
  return outcome;
}

function unsupported(compiled: CompiledSpec, trail: Trail): Outcome {
  trail.supported = false;
  return unsupportedDecision(compiled).alone;
}

export function fulfils(evaluation: Evaluation, dependency: Dependency, trail: Trail): boolean {
  switch (dependency.kind) {
    case "gate":
      return isOn(evaluation, dependency.name, trail) === dependency.expected;
    case "any_gate":
      return dependency.names.some((name) => isOn(evaluation, name, trail) === dependency.expected);
    case "experiment_group": {
      const experiment = evaluation.config(dependency.experiment);
      return dependency.holds(experiment && follow(evaluation, experiment, trail).decision.groupName);
    }
  }
}

/** A gate that does not exist is off, and is not exposed. */
function isOn(evaluation: Evaluation, name: string, trail: Trail): boolean {
  const gate = evaluation.gate(name);
  if (gate === undefined) return false;
  const { decision, exposures } = follow(evaluation, gate, trail);
  for (const exposure of exposures) expose(trail.exposures, exposure);
  if (!name.startsWith("segment:")) expose(trail.exposures, decision);
  return decision.on;
}

/** A gate has one decision in one evaluation. */
function expose(exposures: Decision[], decision: Decision): void {
  if (!exposures.includes(decision)) exposures.push(decision);
}
