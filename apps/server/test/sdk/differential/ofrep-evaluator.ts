import type { User } from "@gatehouse/evaluation";
import { toContext } from "../support/openfeature-context.ts";
import type { Answer } from "../support/sdk.ts";
import type { Access, Evaluator } from "./evaluator.ts";
import { type Answers, parameterValues, type Subject, toKey } from "./subject.ts";

type Flag = { key: string; value: unknown; metadata?: { ruleID?: string } };

/** OFREP with all flags of a user in one request. Segments and holdouts are not flags. */
export const ofrepEvaluator: Evaluator = {
  name: "OFREP",
  knows: ({ kind }) => kind !== "segment" && kind !== "holdout",
  async start(access) {
    return {
      async answers(user) {
        const { flags } = (await evaluate(access, "", user)) as { flags: Flag[] };
        return toAnswers(access.subjects, flags);
      },
      stop: async () => {},
    };
  },
};

/** OFREP with one request per flag. */
export const ofrepSingleEvaluator: Evaluator = {
  ...ofrepEvaluator,
  name: "OFREP, one flag at a time",
  async start(access) {
    const subjects = access.subjects.filter(ofrepEvaluator.knows);
    return {
      async answers(user) {
        const flags = await Promise.all(subjects.map(({ name }) => evaluate(access, `/${encodeURIComponent(name)}`, user)));
        return toAnswers(subjects, flags as Flag[]);
      },
      stop: async () => {},
    };
  },
};

async function evaluate({ url, key, tier }: Access, path: string, user: User): Promise<object> {
  const context = toContext(tier === undefined ? user : { ...user, statsigEnvironment: { tier } });
  const response = await fetch(`${url}/ofrep/v1/evaluate/flags${path}`, {
    method: "POST",
    headers: { "X-API-Key": key, "Content-Type": "application/json" },
    body: JSON.stringify({ context }),
  });
  if (response.status !== 200) throw new Error(`OFREP answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as object;
}

function toAnswers(subjects: Subject[], flags: Flag[]): Answers {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  const answers = subjects.flatMap((subject): [string, Answer][] => {
    const flag = byKey.get(subject.name);
    if (!flag) return [];
    const { kind } = subject;
    const value = flag.value as Record<string, unknown>;
    const isByParameter = kind === "layer" || kind === "store";
    const ruleID = kind === "store" ? "" : (flag.metadata?.ruleID ?? "");
    return [[toKey(subject), { value: isByParameter ? parameterValues(subject, (parameter) => value[parameter]) : value, ruleID }]];
  });
  return Object.fromEntries(answers);
}
