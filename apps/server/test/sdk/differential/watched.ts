import type { Evaluator } from "./evaluator.ts";

/** Wraps the evaluator to record which kinds of rules decide, as rule ids without numbers. */
export function watched(evaluator: Evaluator, kinds: Set<string>): Evaluator {
  return {
    ...evaluator,
    async start(access) {
      const started = await evaluator.start(access);
      return {
        ...started,
        async answers(user) {
          const answers = await started.answers(user);
          for (const { ruleID } of Object.values(answers)) kinds.add(ruleID.replaceAll(/\d+/g, "#"));
          return answers;
        },
      };
    },
  };
}
