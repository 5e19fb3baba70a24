import type { Request, RequestHandler } from "express";
import { prepareCommit, prepareRevision, type Review } from "../../changes/commit-review.ts";
import { createChangeLog, type Entry } from "../../store/change-log/change-log.ts";
import { type ConsoleOperation, checkedRequest, type Executed, isDryRun, precondition } from "./execute.ts";
import { type StoringServices, serveTransaction } from "./serve-operation.ts";

/** Serves the commit of a review: the stored request is executed in its transaction, in the name of its author. */
export function serveCommit(operation: ConsoleOperation, services: StoringServices): RequestHandler {
  return serveTransaction(operation, services, async (request, _response, context) => {
    const commit = await prepareCommit(services, idIn(request), context, { dryRun: isDryRun(request) });
    return async (db) => {
      const log = createChangeLog(db, context, precondition(checkedRequest(request, services), operation));
      const { review, entries } = await commit({ db, context, log });
      return executed("Review committed successfully.", review, [...entries, ...log.entries]);
    };
  });
}

/** Serves the revision of a review: its new request is tried first. */
export function serveRevision(operation: ConsoleOperation, services: StoringServices): RequestHandler {
  return serveTransaction(operation, services, async (request, _response, context) => {
    const store = await prepareRevision(services, idIn(request), request.body.body ?? null, context);
    return async (db) => {
      const log = createChangeLog(db, context, precondition(checkedRequest(request, services), operation));
      return executed("Review revised successfully.", await store({ db, context, log }), log.entries);
    };
  });
}

function idIn({ params }: Request): string {
  return String(params.id);
}

function executed(message: string, data: Review, entries: readonly Entry[]): Executed {
  const result = { status: 200, body: { message, data } };
  return { result, kept: result, entries };
}
