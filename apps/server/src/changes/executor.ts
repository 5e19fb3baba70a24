import type { PermittedContext, Principal } from "../common/context.ts";
import type { Requirement } from "../console/reviews/requirement.ts";
import { BATCH, type StoredRequest } from "../console/scheduled-changes/scheduled-change.ts";
import type { Entry } from "../store/change-log/change-log.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import type { Precondition } from "../store/requests/precondition.ts";
import type { Work as Compared } from "./compared.ts";

export { BATCH, type StoredRequest };

type Rules = Compared["rules"];

/** A transaction, and the context of its writes. */
export type Work = {
  db: Db;
  context: PermittedContext;
  /** Compared with the first write of the entity that it is about. */
  precondition?: Precondition | undefined;
};

/** A stored request that was checked. */
export type Prepared = {
  /** The entity that its path addresses, by the name that the path has. */
  addressed: { type: string; id: string } | undefined;
  /** The If-Match of the request. Each transaction needs a new one. */
  precondition(): Precondition | undefined;
  /** The If-Match of requests that a batch contains, compared in a transaction that is rolled back. Undefined without any. */
  requireMatches: ((work: Work) => Promise<unknown>) | undefined;
  /** Executes the request in a transaction. @returns its writes */
  run(work: Work): Promise<readonly Entry[]>;
};

/** Executes stored requests exactly as the router executes those that arrive. */
export type Executor = {
  /** Runs work that calls `findRequirements` in a transaction. @throws AppError unavailable, and as the work does */
  withLatestProject<T>(projectID: string, work: (isLastAttempt: boolean) => Promise<T>): Promise<T>;
  /** Why a request with these writes needs a review, in its transaction. */
  findRequirements(
    entries: readonly Entry[],
    work: Pick<Work, "db" | "context"> & { rules?: Rules; isLastAttempt: boolean; skipsReviews?: boolean },
  ): Promise<Requirement[]>;
  /** Begins to read the rules that `findRequirements` needs after a write of an entity of this type, with the next statement. */
  readRulesFor(write: { type: string | undefined; body: unknown }, work: Pick<Work, "db" | "context">): Rules;
  /** Checks the body of a batch that did not arrive as one, before its requests are prepared. @throws AppError invalid_request */
  checkBatch(body: unknown): Promise<void>;
  /** @throws AppError forbidden, invalid_request, payload_too_large */
  prepare(request: StoredRequest, by: Principal): Promise<Prepared>;
};
