import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Entry } from "../store/change-log/change-log.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import type { EvaluatedProject } from "./evaluated-project.ts";

/** Evaluates users with the rulesets of the server. */
export type Previews = {
  /** The evaluated part of a project, as of the last committed change. @throws AppError not_found, unavailable */
  project(projectID: string): Promise<EvaluatedProject>;
  /**
   * Evaluates entities for users, as of the last committed change.
   * @throws AppError invalid_request if the request names a missing entity, or asks for too much
   */
  evaluate(projectID: string, request: EvaluationRequest): Promise<Schema<"UserEvaluation">[]>;
  /** Reads into memory what was committed before the call, for `changesIn`. @throws AppError not_found, unavailable */
  refresh(projectID: string): Promise<void>;
  /** When the project in memory last changed, ms since the epoch by the database's clock; 0 if it is not in memory. */
  loadedTime(projectID: string): number;
  /**
   * Whether users would get other values in each of these environments; null stands for any environment. Compares the entities before and
   * after, over the project in memory, and reads nothing. The ids of segments are not compared. `present` compares what users get now, and
   * `planned` what they get when the server has done everything that is planned.
   */
  changesIn(projectID: string, changes: readonly Entry[], environments: readonly (string | null)[], as?: "planned" | "present"): boolean[];
  /** Reads in a transaction the effect of its writes so far. */
  propose(db: Db, projectID: string, entries: readonly Entry[]): Promise<Proposed>;
};

/** The users to compute a change's impact for: at most so many users seen last, or the caller's users. */
export type Sample = { most: number; users?: undefined } | { most?: undefined; users: WritableSchema<"PreviewUser">[] };

type EvaluationRequest = Omit<WritableSchema<"EvaluationRequest">, "drafts">;

/** The effect of a transaction on the values of users. It is computed after the transaction. */
export type Proposed = {
  /** The users whose value would change. @throws AppError too_many_requests, unavailable */
  impact(sample: Sample): Promise<Schema<"Impact">>;
  /** Evaluates as `Previews.evaluate` does, with the transaction's effect beside it. */
  evaluate(request: EvaluationRequest): Promise<Schema<"UserEvaluation">[]>;
};
