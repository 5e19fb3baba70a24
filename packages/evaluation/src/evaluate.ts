import type { CompiledRule, CompiledSpec, Dependency } from "./compile.ts";
import type { SecondaryExposure } from "./evaluator.ts";
import { bucket } from "./hash.ts";
import { NO_EXPOSURES, type Outcome, UNSUPPORTED } from "./outcome.ts";
import type { Surroundings } from "./surroundings.ts";
import type { User } from "./user.ts";
import { text } from "./value.ts";

/** How many specs may depend on each other in a chain below the one that is asked for. A cycle is a chain without an end. */
const LONGEST_CHAIN = 50;

/** One user's evaluation of one spec, or of all. */
export type Evaluation = {
  user: User;
  surroundings: Surroundings;
  gate(name: string): CompiledSpec | undefined;
  config(name: string): CompiledSpec | undefined;
  /** How many specs are being evaluated above the present one. */
  depth: number;
  /** The chain was too long: whatever led there has no answer of its own, so that nothing of it is kept. */
  broken: boolean;
  outcomes: Map<CompiledSpec, Outcome> | null;
};

/** The answer for a spec that is asked for itself. It is the same whatever was evaluated before in the same evaluation. */
export function evaluate(evaluation: Evaluation, spec: CompiledSpec): Outcome {
  evaluation.depth = 0;
  evaluation.broken = false;
  const known = evaluation.outcomes?.get(spec);
  if (known) return known;
  const decided = decide(evaluation, spec);
  const outcome = evaluation.broken ? UNSUPPORTED : decided;
  evaluation.outcomes?.set(spec, outcome);
  return outcome;
}

/** What a spec depended on while its rules were followed. */
type Trail = { exposures: SecondaryExposure[]; height: number; supported: boolean };

function decide(evaluation: Evaluation, spec: CompiledSpec): Outcome {
  let trail: Trail | null = null;
  for (const rule of spec.rules) {
    if (rule.unsupported) return UNSUPPORTED;
    let holds = passesTests(evaluation, rule);
    if (rule.dependencies.length > 0) {
      trail ??= { exposures: [], height: 0, supported: true };
      // Also where a test failed: what the rule depends on is exposed all the same.
      for (const dependency of rule.dependencies) holds = fulfils(evaluation, dependency, trail) && holds;
      if (!trail.supported) return UNSUPPORTED;
    }
    if (!holds) continue;
    const delegate = rule.delegate === null ? undefined : evaluation.config(rule.delegate);
    if (delegate) return delegated(evaluation, delegate, trail ?? { exposures: [], height: 0, supported: true });
    return along(trail, passesPercentage(evaluation.user, rule) ? rule.passes : rule.fails);
  }
  return along(trail, spec.byDefault);
}

function passesTests({ user, surroundings }: Evaluation, { tests }: CompiledRule): boolean {
  for (const holds of tests) if (!holds(user, surroundings)) return false;
  return true;
}

const PARTS = 10_000;

function passesPercentage(user: User, rule: CompiledRule): boolean {
  const { passPercentage } = rule;
  if (passPercentage === 100) return true;
  return passPercentage !== 0 && bucket(rule.hashPrefix + (text(rule.unitID(user)) ?? ""), PARTS) < passPercentage * 100;
}

function along(trail: Trail | null, outcome: Outcome): Outcome {
  if (trail === null) return outcome;
  const exposures = trail.exposures.length > 0 ? trail.exposures : NO_EXPOSURES;
  return { ...outcome, exposures, undelegatedExposures: exposures, height: trail.height };
}

function delegated(evaluation: Evaluation, delegate: CompiledSpec, trail: Trail): Outcome {
  const undelegatedExposures = trail.exposures.length > 0 ? [...trail.exposures] : NO_EXPOSURES;
  const outcome = follow(evaluation, delegate, trail);
  for (const exposure of outcome.exposures) expose(trail.exposures, exposure);
  const exposures = trail.exposures.length > 0 ? trail.exposures : NO_EXPOSURES;
  return { ...outcome, exposures, undelegatedExposures, delegate, height: trail.height };
}

/** Evaluates what another spec depends on, each only once. */
function follow(evaluation: Evaluation, spec: CompiledSpec, trail: Trail): Outcome {
  let outcome = evaluation.outcomes?.get(spec);
  if (outcome === undefined) {
    if (evaluation.depth === LONGEST_CHAIN) evaluation.broken = true;
    if (evaluation.broken) return unsupported(trail);
    evaluation.depth++;
    outcome = decide(evaluation, spec);
    evaluation.depth--;
    if (evaluation.broken) return unsupported(trail);
    evaluation.outcomes ??= new Map();
    evaluation.outcomes.set(spec, outcome);
  }
  trail.height = Math.max(trail.height, outcome.height + 1);
  if (outcome.reason === "unsupported" || trail.height > LONGEST_CHAIN) return unsupported(trail);
  return outcome;
}

function unsupported(trail: Trail): Outcome {
  trail.supported = false;
  return UNSUPPORTED;
}

function fulfils(evaluation: Evaluation, dependency: Dependency, trail: Trail): boolean {
  switch (dependency.kind) {
    case "gate":
      return isOn(evaluation, dependency.name, trail) === dependency.expected;
    case "any_gate":
      return dependency.names.some((name) => isOn(evaluation, name, trail) === dependency.expected);
    case "experiment_group": {
      const experiment = evaluation.config(dependency.experiment);
      return dependency.holds(experiment && follow(evaluation, experiment, trail).groupName);
    }
  }
}

/** A gate that does not exist is off, and is not exposed. */
function isOn(evaluation: Evaluation, name: string, trail: Trail): boolean {
  const gate = evaluation.gate(name);
  if (gate === undefined) return false;
  const { on, ruleID, exposures } = follow(evaluation, gate, trail);
  for (const exposure of exposures) expose(trail.exposures, exposure);
  if (!name.startsWith("segment:")) expose(trail.exposures, { gate: name, gateValue: on ? "true" : "false", ruleID });
  return on;
}

function expose(exposures: SecondaryExposure[], exposure: SecondaryExposure): void {
  for (const { gate, gateValue, ruleID } of exposures) {
    if (gate === exposure.gate && gateValue === exposure.gateValue && ruleID === exposure.ruleID) return;
  }
  exposures.push(exposure);
}
