import { isDeepStrictEqual } from "node:util";
import type { StatsigOptions } from "statsig-node";
import type { Evaluator, RulesetV1, User } from "../../src/index.ts";
import { type Asked, type Sdks, SILENT } from "./sdks.ts";

/** The specs that can be asked for in a ruleset. Segments and holdouts are gates. */
export type Subject = { kind: "gate" | "config" | "experiment" | "layer" | "store"; name: string; parameters: string[] };

/** One evaluator's answer about a subject, as far as it gives one. */
export type Answer = Record<string, unknown>;

export function listSubjects({ feature_gates, dynamic_configs, layer_configs, param_stores = {} }: RulesetV1): Subject[] {
  const named = (kind: Subject["kind"], name = "", parameters: object = {}) => ({ kind, name, parameters: Object.keys(parameters) });
  return [
    ...feature_gates.map(({ name }) => named("gate", name)),
    ...dynamic_configs.map(({ name, entity }) => named(entity === "experiment" ? "experiment" : "config", name)),
    ...layer_configs.map(({ name, defaultValue }) => named("layer", name, defaultValue as object)),
    ...Object.entries(param_stores).map(([name, { parameters }]) => named("store", name, parameters)),
    ...(["gate", "config", "experiment", "layer"] as const).map((kind) => named(kind, "missing", { title: 1 })),
  ];
}

type Exposure = { secondaryExposures: unknown[]; metadata: Record<string, unknown> };

/** Sees the exposure that the older generation made last. It tells nowhere else of the gates that an answer depended on. */
export type Watcher = { callbacks: StatsigOptions["evaluationCallbacks"]; last(): Exposure };

export function watchExposures(): Watcher {
  let last: Exposure = { secondaryExposures: [], metadata: {} };
  const remember = (...given: unknown[]) => {
    last = (given.at(-1) as { toObject(): Exposure }).toObject();
  };
  return { callbacks: { gateCallback: remember, layerParamCallback: remember }, last: () => last };
}

const REASONS: Record<string, string> = { Network: "recognised", Unrecognized: "not_found", Unsupported: "unsupported" };

export function olderAnswer({ older: sdk }: Sdks, watcher: Watcher, { kind, name, parameters }: Subject, { older: user }: Asked): Answer {
  if (kind === "gate") {
    const { value, ruleID, groupName, evaluationDetails } = sdk.getFeatureGate(user, name, SILENT);
    const { secondaryExposures } = watcher.last();
    return { value, ruleID, groupName, secondaryExposures, reason: REASONS[evaluationDetails?.reason ?? ""] };
  }
  if (kind === "layer") {
    const layer = sdk.getLayer(user, name, SILENT);
    const said = {
      ruleID: layer.getRuleID(),
      groupName: layer.getGroupName(),
      reason: REASONS[layer.getEvaluationDetails()?.reason ?? ""],
    };
    return { ...said, parameters: parameters.map((parameter) => readParameter(layer, watcher, parameter)) };
  }
  const config = kind === "experiment" ? sdk.getExperiment(user, name, SILENT) : sdk.getConfig(user, name, SILENT);
  return {
    ...{ value: config.value, ruleID: config.getRuleID(), groupName: config.getGroupName() },
    secondaryExposures: config._getSecondaryExposures(),
    reason: REASONS[config.getEvaluationDetails()?.reason ?? ""],
  };
}

/** A parameter's value, with the exposure that is logged when an application reads it. Parameters without a value are not logged. */
function readParameter(layer: ReturnType<Sdks["older"]["getLayer"]>, watcher: Watcher, parameter: string): Answer {
  const value = layer.get<unknown>(parameter, null);
  if (value === null) return { value };
  const { metadata, secondaryExposures } = watcher.last();
  const { isExplicitParameter, allocatedExperiment } = metadata;
  return { value, isExplicitParameter, allocatedExperiment, secondaryExposures };
}

const newerReason = (reason: string) => ({ ...REASONS, Recognized: "recognised" })[reason.split(":")[1] ?? ""];

export function newerAnswer({ newer: sdk }: Sdks, { kind, name, parameters }: Subject, { newer: user }: Asked): Answer {
  if (kind === "store") {
    const store = sdk.getParameterStore(user, name, SILENT);
    return { value: Object.fromEntries(parameters.map((parameter) => [parameter, store.getValue<unknown>(parameter) ?? null])) };
  }
  if (kind === "gate") {
    const { value, ruleID, details } = sdk.getFeatureGate(user, name, SILENT);
    return { value, ruleID, reason: newerReason(details.reason) };
  }
  if (kind === "config") {
    const { value, ruleID, details } = sdk.getDynamicConfig(user, name, SILENT);
    return { value, ruleID, reason: newerReason(details.reason) };
  }
  if (kind === "experiment") {
    const { value, ruleID, groupName, secondaryExposures, details } = sdk.getExperiment(user, name, SILENT);
    return { value, ruleID, groupName, secondaryExposures, reason: newerReason(details.reason) };
  }
  const { __value: value, ruleID, groupName, allocatedExperimentName, secondaryExposures, details } = sdk.getLayer(user, name, SILENT);
  return {
    ...{ value, ruleID, groupName, secondaryExposures, reason: newerReason(details.reason) },
    allocatedExperiment: allocatedExperimentName ?? "",
  };
}

/** Our evaluator's answer, in the words of either SDK. SDKs see that a spec is disabled only in the rule. */
export function ownAnswer(own: Evaluator, { kind, name, parameters }: Subject, user: User): Answer {
  if (kind === "store") {
    const { value } = own.paramStore(name, user);
    return { value: Object.fromEntries(parameters.map((parameter) => [parameter, value[parameter] ?? null])) };
  }
  if (kind === "gate") return withReason(own.gate(name, user));
  if (kind === "config" || kind === "experiment") return withReason(own.config(name, user));
  const layer = own.layer(name, user);
  return { ...withReason(layer), parameters: parameters.map((parameter) => ownParameter(layer, parameter)) };
}

function withReason<T extends { reason: string }>(answer: T) {
  return { ...answer, reason: answer.reason === "disabled" ? "recognised" : answer.reason };
}

function ownParameter(layer: ReturnType<Evaluator["layer"]>, parameter: string): Answer {
  const value = layer.value[parameter] ?? null;
  if (value === null) return { value };
  const isExplicit = layer.explicitParameters.includes(parameter);
  return {
    value,
    isExplicitParameter: String(isExplicit),
    allocatedExperiment: isExplicit ? layer.allocatedExperiment : "",
    secondaryExposures: isExplicit ? layer.secondaryExposures : layer.undelegatedSecondaryExposures,
  };
}

/** The parts of the SDK's answer that differ from ours. */
export function disputed(sdk: Answer, own: Answer): string[] {
  return Object.keys(sdk).filter((about) => !isDeepStrictEqual(sdk[about], own[about]));
}
