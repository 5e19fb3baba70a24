import type { RulesetV1, User } from "@gatehouse/evaluation";
import type { Answers, Subject } from "./subject.ts";

/** A project that evaluators read, and its subjects. */
export type Access = {
  url: string;
  /** The key of the application's server. */
  key: string;
  /** A key of the console API. */
  consoleKey: string;
  /** The environment that the application declares. */
  tier: string | undefined;
  ruleset: RulesetV1;
  /** The hashes of each id list that the ruleset references. */
  idLists: Record<string, string[]>;
  subjects: Subject[];
};

/** One of the implementations that must agree. */
export type Evaluator = {
  name: string;
  /** Whether it supports the subject. */
  knows(subject: Subject): boolean;
  start(access: Access): Promise<{
    answers(user: User): Promise<Answers>;
    stop(): Promise<void>;
  }>;
};
