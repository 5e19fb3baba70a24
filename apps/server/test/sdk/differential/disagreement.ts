import { isDeepStrictEqual } from "node:util";
import type { User } from "@gatehouse/evaluation";
import type { Access, Evaluator } from "./evaluator.ts";
import { type Subject, toKey } from "./subject.ts";

/** A subject that evaluators disagree on. Undefined stands for an evaluator that should know the subject and does not. */
export type Disagreement = { user: User; subject: Subject; answers: Record<string, unknown>; spec: unknown };

/** The first disagreement among the evaluators; undefined if all agree on every value and rule id for every user. */
export async function findDisagreement(evaluators: Evaluator[], access: Access, users: User[]): Promise<Disagreement | undefined> {
  const started = await Promise.all(evaluators.map(async (evaluator) => ({ evaluator, ...(await evaluator.start(access)) })));
  try {
    for (const user of users) {
      const all = await Promise.all(started.map(async ({ evaluator, answers }) => ({ evaluator, answers: await answers(user) })));
      for (const subject of access.subjects) {
        const given = all
          .filter(({ evaluator }) => evaluator.knows(subject))
          .map(({ evaluator, answers }) => [evaluator.name, plain(answers[toKey(subject)])] as const);
        if (given.some(([, answer]) => !isDeepStrictEqual(answer, given[0]?.[1]))) {
          return { user, subject, answers: Object.fromEntries(given), spec: findSpec(access, subject) };
        }
      }
    }
  } finally {
    await Promise.all(started.map(({ stop }) => stop()));
  }
  return undefined;
}

function findSpec({ ruleset }: Access, { kind, name }: Subject): unknown {
  if (kind === "store") return ruleset.param_stores?.[name];
  const configs = kind === "layer" ? ruleset.layer_configs : ruleset.dynamic_configs;
  const specs = kind === "gate" || kind === "segment" || kind === "holdout" ? ruleset.feature_gates : configs;
  return specs.find((spec) => spec.name === name);
}

/** A copy through JSON: without prototypes and undefined fields. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
