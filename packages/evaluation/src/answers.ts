import type { CompiledSpec } from "./compile.ts";
import type { ConfigEvaluation, GateEvaluation, LayerEvaluation } from "./evaluator.ts";
import { NO_EXPOSURES, type Outcome } from "./outcome.ts";
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

export function toGate({ on, ruleID, groupName, exposures, reason }: Outcome): GateEvaluation {
  return { value: on, ruleID, groupName, secondaryExposures: exposures, reason };
}

export function toConfig(outcome: Outcome, compiled: CompiledSpec): ConfigEvaluation {
  return {
    value: objectValue(outcome),
    ruleID: outcome.ruleID,
    groupName: outcome.groupName,
    isUserInExperiment: outcome.isGroup,
    isExperimentActive: (outcome.delegate ?? compiled).spec.isActive === true,
    secondaryExposures: outcome.exposures,
    reason: outcome.reason,
  };
}

export function toLayer(outcome: Outcome, compiled: CompiledSpec): LayerEvaluation {
  return {
    value: objectValue(outcome),
    ruleID: outcome.ruleID,
    groupName: outcome.groupName,
    allocatedExperiment: outcome.delegate?.name ?? "",
    explicitParameters: explicitParameters(outcome, compiled),
    secondaryExposures: outcome.exposures,
    undelegatedSecondaryExposures: outcome.undelegatedExposures,
    reason: outcome.reason,
  };
}

/** What a config or a layer answers. What is no object counts as none. */
export function objectValue({ value }: Outcome): Record<string, unknown> {
  return isObject(value) ? value : EMPTY;
}

/** The parameters that belong to the experiment that decided, or else to the spec itself. */
export function explicitParameters(outcome: Outcome, compiled: CompiledSpec): readonly string[] {
  return (outcome.delegate ?? compiled).spec.explicitParameters ?? NO_PARAMETERS;
}
