import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import { type Evaluator, type Explanation, objectValue, type User } from "@gatehouse/evaluation";
import { invalid, type Violation } from "../../common/errors.ts";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import { specReason, storeReason } from "../ofrep/flag-reason.ts";
import { explainRules } from "./explain-rules.ts";
import { findSpec, type Target, toTarget } from "./target.ts";

type EvaluationRequest = Omit<WritableSchema<"EvaluationRequest">, "drafts">;
type Evaluated = Omit<EntityEvaluation, "type" | "id" | "draft">;

/** A project, its evaluator, and one that evaluates the project with drafts. */
type Given = { project: EvaluatedProject; evaluator: Evaluator; withDrafts?: Evaluator };
type EntityEvaluation = Schema<"EntityEvaluation">;

/** The most answers to a request: users times entities. */
const MAX_ANSWERS = 1_000;
/** The most conditions of all answers to a request. */
const MAX_CONDITIONS = 100_000;

/**
 * Evaluates entities for users, with the rules that led there.
 * @throws AppError invalid_request if the request names a missing entity, or asks for too much
 */
export function evaluateUsers(
  { users, environment, entities }: EvaluationRequest,
  { project, evaluator, withDrafts }: Given,
): Schema<"UserEvaluation">[] {
  const targets = entities.map((entity) => toTarget(entity, project));
  const violations = [...missing(entities, project), ...unknownEnvironment(environment, project)];
  const evaluators = withDrafts ? [evaluator, withDrafts] : [evaluator];
  if (violations.length === 0) violations.push(...excess(users.length, targets, evaluators));
  if (violations.length > 0) throw invalid(violations);
  return users.map((user) => {
    const evaluated = inEnvironment(user, environment);
    const evaluate = (target: Target): EntityEvaluation => ({
      ...{ type: target.type, id: target.id },
      ...evaluateTarget(target, evaluated, evaluator),
      ...(withDrafts && { draft: evaluateTarget(target, evaluated, withDrafts) }),
    });
    return { user, results: targets.map(evaluate) };
  });
}

/** The user with the tier of an environment. Undefined leaves the user's own. */
function inEnvironment(user: User, environment: string | undefined): User {
  return environment === undefined ? user : { ...user, statsigEnvironment: { ...user.statsigEnvironment, tier: environment } };
}

function missing(entities: EvaluationRequest["entities"], project: EvaluatedProject): Violation[] {
  return entities.flatMap((entity, index) => {
    const { exists, title } = toTarget(entity, project);
    return exists ? [] : [{ property: `entities[${index}].id`, errorMessage: `references ${title} ${entity.id}, which does not exist` }];
  });
}

function unknownEnvironment(environment: string | undefined, { environments }: EvaluatedProject): Violation[] {
  // SDKs ignore the case of a tier.
  const isKnown = environments.environments.some(({ name }) => name.toLowerCase() === environment?.toLowerCase());
  if (environment === undefined || isKnown) return [];
  return [{ property: "environment", errorMessage: `references environment ${environment}, which does not exist` }];
}

function excess(users: number, targets: Target[], evaluators: Evaluator[]): Violation[] {
  const answers = users * targets.length;
  if (answers > MAX_ANSWERS) {
    const errorMessage = `${users} users times ${targets.length} entities are ${answers} answers, and there may be ${MAX_ANSWERS}`;
    return [{ property: "users", errorMessage }];
  }
  const ofUser = evaluators.flatMap((evaluator) => targets.map((target) => countConditions(target, evaluator)));
  const conditions = users * ofUser.reduce((sum, count) => sum + count, 0);
  if (conditions <= MAX_CONDITIONS) return [];
  const errorMessage = `the rules of these entities have ${conditions} conditions for all users, and there may be ${MAX_CONDITIONS}`;
  return [{ property: "entities", errorMessage }];
}

function countConditions(target: Target, { specs }: Evaluator): number {
  const spec = target.kind === "paramStore" ? undefined : specs[target.kind](target.name);
  return spec?.rules.reduce((sum, { conditions }) => sum + conditions.length, 0) ?? 0;
}

function evaluateTarget(target: Target, user: User, evaluator: Evaluator): Evaluated {
  if (target.kind === "paramStore") {
    const store = evaluator.paramStore(target.name, user);
    const reason = store.reason === "not_found" ? "NOT_EVALUATED" : storeReason(store);
    return { value: store.value, ruleID: "", reason, rules: [] };
  }
  const explanation = findSpec(target, evaluator) && evaluator.explain[target.kind](target.name, user);
  return explanation ? toEvaluation(target, explanation) : notEvaluated(target);
}

function toEvaluation({ kind }: Target, { decision, rules }: Explanation): Evaluated {
  const { compiled, delegate, on, ruleID } = decision;
  const reason = specReason((delegate ?? compiled).spec, decision.reason, ruleID);
  return {
    value: kind === "gate" ? on : objectValue(decision),
    ruleID,
    // The experiment that gives a layer's values depends on the unit.
    reason: delegate && reason === "STATIC" ? "SPLIT" : reason,
    ...(delegate && { allocatedExperiment: delegate.name }),
    rules: explainRules(rules),
  };
}

function notEvaluated({ kind }: Target): Evaluated {
  return { value: kind === "gate" ? false : {}, ruleID: "", reason: "NOT_EVALUATED", rules: [] };
}
