import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Entry } from "./store/change-log.ts";
import type { Db } from "./store/unit-of-work.ts";

/** What users get, by the rulesets of the server. */
export type Previews = {
  /**
   * Evaluates entities for users, as of the last committed change.
   * @throws AppError invalid_request if the request names what does not exist, or asks for too much
   */
  evaluate(projectID: string, request: WritableSchema<"EvaluationRequest">): Promise<Schema<"UserEvaluation">[]>;
  /** Reads in a transaction what its writes so far would change. */
  propose(db: Db, projectID: string, entries: readonly Entry[]): Promise<Proposed>;
};

/**
 * What a transaction would change of what users get. It is computed after the transaction.
 * @param users at most so many, those seen last
 * @throws AppError too_many_requests, unavailable
 */
export type Proposed = (users: number) => Promise<Schema<"Impact">>;
