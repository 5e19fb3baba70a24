import type { Schema } from "@gatehouse/contract/evaluation";
import type { Evaluator, GateEvaluation, User } from "@gatehouse/evaluation";
import { invalid, notFound } from "../../common/errors.ts";
import type { EvaluationEnv, EvaluationHandlers } from "../binding.ts";
import type { Exposure } from "../events/exposure.ts";
import { specReason } from "../ofrep/flag-reason.ts";
import { ruleName } from "../rule-name.ts";
import { withoutPrivate } from "../user.ts";
import { calledUser } from "./called-user.ts";

type Call = {
  body: { user?: Schema<"EvaluatedUser"> | null; statsigMetadata?: Schema<"CallMetadata"> };
} & EvaluationEnv;

export const checkHandlers = {
  async checkGate({ body, ...env }) {
    const { gateName, gateNames } = body;
    if ((gateName === undefined) === (gateNames === undefined)) {
      throw invalid([{ property: "gateName", errorMessage: "is required, or gateNames, but not both" }]);
    }
    const { evaluator, user, expose } = await prepareCheck({ body, ...env });
    const check = (name: string) => {
      const evaluation = evaluator.gate(name, user);
      expose({ kind: "gate", name, evaluation }, evaluation.reason);
      const { value, ruleID } = evaluation;
      const spec = evaluator.specs.gate(name);
      const group = spec?.entity === "feature_gate" ? ruleName(spec, ruleID) : undefined;
      return { name, value, rule_id: ruleID || null, group_name: group ?? null };
    };
    if (gateName !== undefined) return { status: 200, body: check(gateName) };
    return { status: 200, body: Object.fromEntries((gateNames ?? []).map((name) => [name, check(name)])) };
  },

  async getConfigValue({ body, ...env }) {
    const { evaluator, user, expose } = await prepareCheck({ body, ...env });
    const name = body.configName;
    const evaluation = evaluator.config(name, user);
    expose({ kind: "config", name, evaluation }, evaluation.reason);
    const { value, ruleID, groupName } = evaluation;
    return { status: 200, body: { name, value, group: ruleID, rule_id: ruleID || null, group_name: groupName } };
  },

  async getLayerValue({ body, ...env }) {
    const { evaluator, user, expose } = await prepareCheck({ body, ...env });
    const name = body.layerName;
    const evaluation = evaluator.layer(name, user);
    if (evaluation.reason === "not_found") throw notFound("Layer", name);
    expose({ kind: "layer", name, evaluation }, evaluation.reason);
    const { value, ruleID, allocatedExperiment } = evaluation;
    return { status: 200, body: { name, value, ruleID, allocatedExperimentName: allocatedExperiment || null } };
  },
} satisfies Partial<EvaluationHandlers>;

type Shown = Exposure extends infer One ? (One extends Exposure ? Omit<One, "user" | "source" | "origin"> : never) : never;

/** Prepares a check: the user, the evaluator, and how its exposures are logged. */
async function prepareCheck({ body, caller, rulesets, intake, noteEvaluations }: Call) {
  const { projectID, scope } = caller.credentials;
  const { evaluator, origin } = await rulesets.view(projectID, scope);
  const user: User = calledUser(body.user, body.statsigMetadata, caller);
  const { sdkType, exposureLoggingDisabled } = body.statsigMetadata ?? {};
  const logged = { user: withoutPrivate(user), source: sdkType ?? "http_api", origin };
  const expose = (shown: Shown, reason: GateEvaluation["reason"]) => {
    if (reason === "not_found") return;
    noteEvaluations(1, () => [{ key: shown.name, variant: shown.evaluation.ruleID || null, reason: flagReason(evaluator, shown, reason) }]);
    if (exposureLoggingDisabled === true) return;
    intake.expose(projectID, { ...shown, ...logged });
  };
  return { evaluator, user, expose };
}

function flagReason({ specs }: Evaluator, { kind, name, evaluation }: Shown, reason: GateEvaluation["reason"]): string {
  const spec = specs[kind](name);
  return spec ? specReason(spec, reason, evaluation.ruleID) : "UNKNOWN";
}
