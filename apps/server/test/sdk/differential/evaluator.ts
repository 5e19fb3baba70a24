import type { RulesetV1, User } from "@gatehouse/evaluation";
import type { Answers, Subject } from "./subject.ts";

/** A project that evaluators read, and what there is to ask in it. */
export type Access = {
  url: string;
  /** Of a server of the application. */
  key: string;
  /** The environment that the application says it is in. */
  tier: string | undefined;
  ruleset: RulesetV1;
  /** The hashes of each id list that the ruleset names. */
  idLists: Record<string, string[]>;
  subjects: Subject[];
};

/** One of those that must agree. */
export type Evaluator = {
  name: string;
  /** Whether it answers such a subject at all. */
  knows(subject: Subject): boolean;
  start(access: Access): Promise<{
    answers(user: User): Promise<Answers>;
    stop(): Promise<void>;
  }>;
};
