import type { Schema } from "@gatehouse/contract/evaluation";
import {
  type Decided,
  type Decision,
  type Evaluator,
  keptWithDecision,
  objectValue,
  type ParamStoreEvaluation,
  type SecondaryExposure,
  secondaryExposures,
  type User,
} from "@gatehouse/evaluation";
import { ruleName } from "../rule-name.ts";
import { type FlagReason, specReason, storeReason } from "./flag-reason.ts";

/** A flag as OFREP returns it. */
type EvaluatedFlag = Schema<"EvaluatedFlag">;

/** The exposure of a flag with rules. */
type Shown =
  | { kind: "gate"; evaluation: { value: boolean } & Evaluated }
  | { kind: "config"; evaluation: Evaluated }
  | { kind: "layer"; evaluation: { allocatedExperiment: string } & Evaluated };

type Evaluated = { ruleID: string; secondaryExposures: readonly SecondaryExposure[] };

/** A flag evaluated for one user, as JSON in UTF-8. */
type FlagEvaluation = { json: Uint8Array; exposure?: Shown };

/**
 * Evaluates the flag with a key. If several entities have the key, the order of kinds decides: gate, dynamic config or experiment, layer,
 * param store. Segments and holdouts are gates in a ruleset but not flags. Undefined if the flag does not exist.
 */
export function evaluateFlag({ decide, paramStore, specs }: Evaluator, key: string, user: User): FlagEvaluation | undefined {
  const gate = isGateFlag(specs, key) ? decide.gate(key, user) : undefined;
  if (gate) {
    const evaluation = { value: gate.decision.on, ...evaluated(gate) };
    return { json: gatePiece(gate.decision).subarray(1), exposure: { kind: "gate", evaluation } };
  }
  const config = decide.config(key, user);
  if (config) return { json: configPiece(config.decision).subarray(1), exposure: { kind: "config", evaluation: evaluated(config) } };
  const layer = decide.layer(key, user);
  if (layer) {
    const evaluation = { allocatedExperiment: layer.decision.delegate?.name ?? "", ...evaluated(layer) };
    return { json: layerPiece(layer.decision).subarray(1), exposure: { kind: "layer", evaluation } };
  }
  const store = paramStore(key, user);
  return store.reason === "not_found" ? undefined : { json: Buffer.from(JSON.stringify(storeFlag(key, store))) };
}

function evaluated({ decision, exposures }: Decided): Evaluated {
  return { ruleID: decision.ruleID, secondaryExposures: secondaryExposures(exposures) };
}

/** Evaluates every flag, as pieces of JSON to be joined. Each begins with a comma. */
export function evaluateFlags({ decideAll, specs }: Evaluator, user: User): Uint8Array[] {
  const { gate, config, layer, paramStores } = decideAll(user);
  const pieces: Uint8Array[] = [];
  for (const decision of gate) if (decision.compiled.spec.entity === "feature_gate") pieces.push(gatePiece(decision));
  for (const decision of config) if (!isGateFlag(specs, decision.compiled.name)) pieces.push(configPiece(decision));
  const isTaken = (name: string) => isGateFlag(specs, name) || specs.config(name) !== undefined;
  for (const decision of layer) if (!isTaken(decision.compiled.name)) pieces.push(layerPiece(decision));
  for (const [name, store] of paramStores) {
    if (!isTaken(name) && specs.layer(name) === undefined) pieces.push(Buffer.from(`,${JSON.stringify(storeFlag(name, store))}`));
  }
  return pieces;
}

function isGateFlag(specs: Evaluator["specs"], name: string): boolean {
  return specs.gate(name)?.entity === "feature_gate";
}

/** The JSON of a flag with rules, after a comma. Serialized once for each decision. */
const gatePiece = piece((decision) => {
  const { compiled, on, reason, ruleID } = decision;
  return ruleFlag(decision, {
    kind: "gate",
    value: on,
    reason: specReason(compiled.spec, reason, ruleID),
    name: ruleName(compiled.spec, ruleID),
  });
});

const configPiece = piece((decision) => {
  const { compiled, reason, ruleID, groupName } = decision;
  const { entity } = compiled.spec;
  const kind = entity === "experiment" || entity === "autotune" ? entity : "dynamic_config";
  return ruleFlag(decision, { kind, value: objectValue(decision), reason: specReason(compiled.spec, reason, ruleID), name: groupName });
});

const layerPiece = piece((decision) => {
  const flag = ruleFlag(decision, {
    kind: "layer",
    value: objectValue(decision),
    reason: layerReason(decision),
    name: decision.groupName,
  });
  if (decision.delegate) flag.metadata.allocatedExperiment = decision.delegate.name;
  return flag;
});

function piece(toFlag: (decision: Decision) => EvaluatedFlag): (decision: Decision) => Buffer {
  return keptWithDecision((decision) => Buffer.from(`,${JSON.stringify(toFlag(decision))}`));
}

type RuleFlag = Pick<EvaluatedFlag, "value" | "reason"> & { kind: EvaluatedFlag["metadata"]["kind"]; name: string | null | undefined };

function ruleFlag({ compiled, ruleID }: Decision, { kind, value, reason, name }: RuleFlag): EvaluatedFlag {
  const metadata: EvaluatedFlag["metadata"] = { kind, ruleID };
  if (compiled.spec.version !== undefined) metadata.version = compiled.spec.version;
  return { key: compiled.name, value, reason, variant: name || ruleID, metadata };
}

/** A static value of an experiment is a SPLIT in its layer, which divides its units between experiments. */
function layerReason({ compiled, delegate, reason, ruleID }: Decision): FlagReason {
  const why = specReason((delegate ?? compiled).spec, reason, ruleID);
  return delegate && why === "STATIC" ? "SPLIT" : why;
}

function storeFlag(key: string, store: ParamStoreEvaluation): EvaluatedFlag {
  return { key, value: store.value, reason: storeReason(store), metadata: { kind: "param_store" } };
}
