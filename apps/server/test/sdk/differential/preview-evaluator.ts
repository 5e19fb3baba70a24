import type { Schema } from "@gatehouse/contract/console";
import type { User } from "@gatehouse/evaluation";
import type { Evaluator } from "./evaluator.ts";
import { type Answers, parameterValues, type Subject, toKey } from "./subject.ts";

type Entity = Schema<"EvaluatedEntity">;

const TYPES: Partial<Record<Subject["kind"], Entity["type"]>> = {
  gate: "gate",
  config: "dynamic_config",
  experiment: "experiment",
  autotune: "autotune",
  layer: "layer",
  store: "param_store",
};

/** `evaluateUsers` of the console API, which evaluates as for a server key without limits. */
export const previewEvaluator: Evaluator = {
  name: "evaluateUsers",
  knows: ({ kind }) => TYPES[kind] !== undefined,
  async start({ url, consoleKey, tier, subjects }) {
    const known = subjects.filter(previewEvaluator.knows);
    const entities = known.map(({ kind, name }) => ({ type: TYPES[kind], id: name }));
    return {
      async answers(user: User): Promise<Answers> {
        if (entities.length === 0) return {};
        const users = [tier === undefined ? user : { ...user, statsigEnvironment: { tier } }];
        const response = await fetch(`${url}/console/v1/evaluate`, {
          method: "POST",
          headers: { "SERVICE-API-KEY": consoleKey, "Content-Type": "application/json" },
          body: JSON.stringify({ users, entities }),
        });
        if (response.status !== 200) throw new Error(`evaluateUsers answered ${response.status}: ${await response.text()}`);
        const { data } = (await response.json()) as { data: Schema<"UserEvaluation">[] };
        const results = data[0]?.results ?? [];
        return Object.fromEntries(known.map((subject, index) => [toKey(subject), answerFor(subject, results[index])]));
      },
      stop: async () => {},
    };
  },
};

function answerFor(subject: Subject, result: Schema<"EntityEvaluation"> | undefined) {
  const { value, ruleID } = result ?? { value: undefined, ruleID: "" };
  const isByParameter = subject.kind === "layer" || subject.kind === "store";
  const values = value as Record<string, unknown>;
  return { value: isByParameter ? parameterValues(subject, (parameter) => values[parameter]) : value, ruleID };
}
