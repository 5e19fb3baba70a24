import { createEvaluator, type User } from "@gatehouse/evaluation";
import type { Answer } from "../support/sdk.ts";
import type { Evaluator } from "./evaluator.ts";
import { parameterValues, type Subject, toKey } from "./subject.ts";

/** Our evaluator, with the ruleset that the server sends to SDKs. */
export const ownEvaluator: Evaluator = {
  name: "@gatehouse/evaluation",
  knows: () => true,
  async start({ ruleset, idLists, tier, subjects }) {
    const evaluator = createEvaluator(ruleset, { idLists, now: Date.now });
    const answer = (subject: Subject, user: User): Answer => {
      const { kind, name } = subject;
      if (kind === "layer") {
        const { value, ruleID } = evaluator.layer(name, user);
        return { value: parameterValues(subject, (parameter) => value[parameter]), ruleID };
      }
      if (kind === "store") {
        const { value } = evaluator.paramStore(name, user);
        return { value: parameterValues(subject, (parameter) => value[parameter]), ruleID: "" };
      }
      const isConfig = kind === "config" || kind === "experiment" || kind === "autotune";
      const { value, ruleID } = isConfig ? evaluator.config(name, user) : evaluator.gate(name, user);
      return { value, ruleID };
    };
    return {
      async answers(user) {
        const inTier = tier === undefined ? user : { ...user, statsigEnvironment: { tier } };
        return Object.fromEntries(subjects.map((subject) => [toKey(subject), answer(subject, inTier)]));
      },
      stop: async () => {},
    };
  },
};
