import type { OperationDescription } from "@gatehouse/contract";
import type { RequestHandler, Response } from "express";
import { invalid } from "../../common/errors.ts";
import type { WriteLimiter } from "../../store/requests/write-limiter.ts";
import { batchable } from "./batch-requests.ts";
import { type Contained, checkAll, executeAll } from "./contained-requests.ts";
import { type ConsoleOperation, isDryRun, type Result } from "./execute.ts";
import { takeWrites } from "./limit-writes.ts";
import { type StoringServices, serveTransaction } from "./serve-operation.ts";
import type { RequestValidator } from "./validator.ts";

/** The router's parts that a batch needs. */
export type BatchParts = {
  operations: ConsoleOperation[];
  validator: RequestValidator;
  writeLimiter: WriteLimiter | undefined;
  /** Checks the answer of an operation against the contract. */
  checkAnswer(operationID: string, result: Result): void;
};

/** Serves a batch: its requests are executed in their order, in one transaction. The first that fails makes the batch fail. */
export function serveBatch(batch: OperationDescription, parts: BatchParts, services: StoringServices): RequestHandler {
  const operations = batchable(parts.operations);
  const { body: containingBody } = batch;
  if (!containingBody) throw new Error("A batch has a body.");
  return serveTransaction(batch, services, async (request, response, context) => {
    const baseUrl = services.callers.resolveBaseUrl(request);
    const checks = { operations, list: "requests" as const, validator: parts.validator, containingBody, baseUrl };
    const contained = await checkAll(request.body.requests, context, checks);
    await takeRemainingWrites(countWrites(contained), response, parts.writeLimiter);
    const dryRun = isDryRun(request);
    return (db) => executeAll(contained, { db, context, dryRun, checkAnswer: parts.checkAnswer }, services);
  });
}

function countWrites(contained: Contained[]): number {
  return contained.filter(({ operation }) => operation.isWrite).length;
}

/** Each contained write counts. One was taken when the request arrived. @throws AppError too_many_requests, invalid_request */
export async function takeRemainingWrites(
  writes: number,
  response: Response,
  limiter: WriteLimiter | undefined,
  property = "requests",
): Promise<void> {
  if (!limiter || writes <= 1) return;
  if (writes > limiter.limit) {
    const errorMessage = `has ${writes} writes, more than the ${limiter.limit} that are allowed in ${limiter.windowMs / 1000} seconds`;
    throw invalid([{ property, errorMessage }]);
  }
  await takeWrites(limiter, response, writes - 1);
}
