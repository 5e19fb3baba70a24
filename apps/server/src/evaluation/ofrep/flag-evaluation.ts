import type { Schema } from "@gatehouse/contract/evaluation";
import type { ConfigEvaluation, Evaluator, GateEvaluation, LayerEvaluation, Spec, User } from "@gatehouse/evaluation";
import { type Flag, type FlagIndex, ruleName } from "../flag-index.ts";
import { type FlagReason, specReason, storeReason } from "./flag-reason.ts";

/** A flag as OFREP answers it. */
export type EvaluatedFlag = Schema<"EvaluatedFlag">;

/** What the evaluator answers for a flag that has rules, by what was asked. */
type RuleEvaluation =
  | { kind: "gate"; evaluation: GateEvaluation }
  | { kind: "config"; evaluation: ConfigEvaluation }
  | { kind: "layer"; evaluation: LayerEvaluation };

/** A flag as OFREP answers it, and what to tell of it as an exposure. */
type FlagEvaluation = { flag: EvaluatedFlag; exposure?: RuleEvaluation };

export function evaluateFlag(flag: Flag, { configs }: FlagIndex, evaluator: Evaluator, user: User): FlagEvaluation {
  const { key, kind } = flag;
  switch (kind) {
    case "gate": {
      const evaluation = evaluator.gate(key, user);
      const reason = specReason(flag.spec, evaluation.reason, evaluation.ruleID);
      return { flag: toFlag(flag, evaluation, reason), exposure: { kind, evaluation } };
    }
    case "layer": {
      const evaluation = evaluator.layer(key, user);
      const { allocatedExperiment } = evaluation;
      const answer = toFlag(flag, evaluation, layerReason(flag.spec, configs.get(allocatedExperiment), evaluation));
      if (allocatedExperiment !== "") answer.metadata.allocatedExperiment = allocatedExperiment;
      return { flag: answer, exposure: { kind, evaluation } };
    }
    case "param_store": {
      const { value, reason } = evaluator.paramStore(key, user);
      return { flag: { key, value, reason: reason === "recognised" ? storeReason(flag.store) : "UNKNOWN", metadata: { kind } } };
    }
    default: {
      const evaluation = evaluator.config(key, user);
      const reason = specReason(flag.spec, evaluation.reason, evaluation.ruleID);
      return { flag: toFlag(flag, evaluation, reason), exposure: { kind: "config", evaluation } };
    }
  }
}

type RuleFlag = Exclude<Flag, { kind: "param_store" }>;

function toFlag(
  { key, kind, spec }: RuleFlag,
  { value, ruleID, groupName }: RuleEvaluation["evaluation"],
  reason: FlagReason,
): EvaluatedFlag {
  const metadata: EvaluatedFlag["metadata"] = { kind, ruleID };
  if (spec.version !== undefined) metadata.version = spec.version;
  const name = kind === "gate" ? ruleName(spec, ruleID) : groupName;
  return { key, value, reason, variant: name || ruleID, metadata };
}

/** What is the same for everyone in an experiment is not so in its layer, which divides its units between experiments. */
function layerReason(layer: Spec, allocated: Spec | undefined, { reason, ruleID, allocatedExperiment }: LayerEvaluation): FlagReason {
  if (allocatedExperiment === "") return specReason(layer, reason, ruleID);
  const why = specReason(allocated, reason, ruleID);
  return why === "STATIC" ? "SPLIT" : why;
}
