import type { CompiledSpec } from "./compile.ts";
import { type Decision, keptWithDecision, NO_EXPOSURES, type Outcome } from "./decision.ts";
import type { ConfigEvaluation, GateEvaluation, LayerEvaluation, ParamStoreEvaluation, SecondaryExposure } from "./evaluator.ts";
import { isObject } from "./value.ts";

const EMPTY: Record<string, never> = Object.freeze({});
const NO_PARAMETERS: readonly string[] = Object.freeze([]);

export const GATE_NOT_FOUND: GateEvaluation = Object.freeze({
  value: false,
  ruleID: "",
  groupName: null,
  secondaryExposures: NO_EXPOSURES,
  reason: "not_found",
});

export const CONFIG_NOT_FOUND: ConfigEvaluation = Object.freeze({
  value: EMPTY,
  ruleID: "",
  groupName: null,
  isUserInExperiment: false,
  isExperimentActive: false,
  secondaryExposures: NO_EXPOSURES,
  reason: "not_found",
});

export const LAYER_NOT_FOUND: LayerEvaluation = Object.freeze({
  value: EMPTY,
  ruleID: "",
  groupName: null,
  allocatedExperiment: "",
  explicitParameters: NO_PARAMETERS,
  secondaryExposures: NO_EXPOSURES,
  undelegatedSecondaryExposures: NO_EXPOSURES,
  reason: "not_found",
});

export const PARAM_STORE_NOT_FOUND: ParamStoreEvaluation = Object.freeze({ value: EMPTY, isStatic: false, reason: "not_found" });

export function toGate({ decision, exposures }: Outcome): GateEvaluation {
  const evaluation = gateWithoutExposures(decision);
  return exposures.length === 0 ? evaluation : { ...evaluation, secondaryExposures: secondaryExposures(exposures) };
}

export function toConfig({ decision, exposures }: Outcome): ConfigEvaluation {
  const evaluation = configWithoutExposures(decision);
  return exposures.length === 0 ? evaluation : { ...evaluation, secondaryExposures: secondaryExposures(exposures) };
}

export function toLayer({ decision, exposures, undelegatedExposures }: Outcome): LayerEvaluation {
  const evaluation = layerWithoutExposures(decision);
  if (exposures.length === 0) return evaluation;
  const undelegatedSecondaryExposures = secondaryExposures(undelegatedExposures);
  return { ...evaluation, secondaryExposures: secondaryExposures(exposures), undelegatedSecondaryExposures };
}

/** Decisions of gates as the exposures of a spec that depended on them. */
export function secondaryExposures(decisions: readonly Decision[]): readonly SecondaryExposure[] {
  return decisions.length === 0 ? NO_EXPOSURES : decisions.map(toExposure);
}

const toExposure = keptWithDecision(
  ({ compiled, on, ruleID }): SecondaryExposure => ({ gate: compiled.name, gateValue: on ? "true" : "false", ruleID }),
);

const gateWithoutExposures = keptWithDecision(
  ({ on, ruleID, groupName, reason }): GateEvaluation => ({ value: on, ruleID, groupName, secondaryExposures: NO_EXPOSURES, reason }),
);

const configWithoutExposures = keptWithDecision(
  (decision): ConfigEvaluation => ({
    value: objectValue(decision),
    ruleID: decision.ruleID,
    groupName: decision.groupName,
    isUserInExperiment: decision.isGroup,
    isExperimentActive: deciding(decision).spec.isActive === true,
    secondaryExposures: NO_EXPOSURES,
    reason: decision.reason,
  }),
);

const layerWithoutExposures = keptWithDecision(
  (decision): LayerEvaluation => ({
    value: objectValue(decision),
    ruleID: decision.ruleID,
    groupName: decision.groupName,
    allocatedExperiment: decision.delegate?.name ?? "",
    explicitParameters: explicitParameters(decision),
    secondaryExposures: NO_EXPOSURES,
    undelegatedSecondaryExposures: NO_EXPOSURES,
    reason: decision.reason,
  }),
);

/** The value of a config or layer. Anything but an object counts as an empty one. */
export function objectValue(decision: Decision | undefined): Record<string, unknown> {
  return isObject(decision?.value) ? decision.value : EMPTY;
}

/** The explicit parameters of the deciding experiment, or else of the spec itself. */
export function explicitParameters(decision: Decision): readonly string[] {
  return deciding(decision).spec.explicitParameters ?? NO_PARAMETERS;
}

function deciding({ delegate, compiled }: Decision): CompiledSpec {
  return delegate ?? compiled;
}
