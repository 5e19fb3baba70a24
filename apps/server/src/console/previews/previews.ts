import type { Schema, WritableSchema } from "@gatehouse/contract/console";

/** What users get, by the rulesets of the server. */
export type Previews = {
  /**
   * Evaluates entities for users, as of the last committed change.
   * @throws AppError invalid_request if the request names what does not exist, or asks for too much
   */
  evaluate(projectID: string, request: WritableSchema<"EvaluationRequest">): Promise<Schema<"UserEvaluation">[]>;
};
