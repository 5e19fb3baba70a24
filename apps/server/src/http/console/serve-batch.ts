import { setImmediate } from "node:timers/promises";
import type { OperationDescription, Permission } from "@gatehouse/contract";
import type { RequestHandler, Response } from "express";
import type { PermittedContext } from "../../context.ts";
import { AppError, inRequest, invalid } from "../../errors.ts";
import { requirePermissions } from "../../permissions.ts";
import { createChangeLog, type Entry } from "../../store/change-log.ts";
import { isConnectionLoss, isSerializationFailure } from "../../store/database-errors.ts";
import { createReadAhead, type ReadAhead, type Subject } from "../../store/read-ahead.ts";
import type { Db } from "../../store/unit-of-work.ts";
import type { WriteLimiter } from "../../store/write-limiter.ts";
import { createStores, findByID } from "../../stores.ts";
import { credentialsOf } from "./authenticate.ts";
import { batchable, checkRequest, type GivenRequest, operationOf } from "./batch-requests.ts";
import {
  type CheckedRequest,
  type ConsoleOperation,
  type ConsoleServices,
  dryResult,
  type Executed,
  execute,
  isDryRun,
  type Result,
  tagOf,
} from "./execute.ts";
import { takeWrites } from "./limit-writes.ts";
import { bodyText, withText } from "./send-json.ts";
import { serveTransaction } from "./serve-operation.ts";
import type { RequestValidator } from "./validator.ts";

/** The most characters of the answers of a batch together. */
const MAX_ANSWER_LENGTH = 2 ** 24;
/** How many requests have the entities that they address read together. Bounds the memory for such rows. */
const READ_AHEAD = 25;
/** After this many checks, other requests have their turn. */
const CHECKS_IN_A_ROW = 20;

/** What a batch needs of the router. */
export type BatchParts = {
  operations: ConsoleOperation[];
  validator: RequestValidator;
  writeLimiter: WriteLimiter | undefined;
  /** Checks the answer of an operation against the contract. */
  checkAnswer(operationID: string, result: Result): void;
};

/** A request of a batch, checked as if it were sent alone. */
type Contained = { index: number; operation: ConsoleOperation; request: CheckedRequest };

/** Serves a batch: its requests are executed in their order, in one transaction. The first that fails makes the batch fail. */
export function serveBatch(batch: OperationDescription, parts: BatchParts, services: ConsoleServices): RequestHandler {
  const operations = batchable(parts.operations);
  const { body: batchBody } = batch;
  if (!batchBody) throw new Error("A batch has a body.");
  return serveTransaction(batch, services, async (request, response, context) => {
    const given: GivenRequest[] = request.body.requests;
    const named = given.map((one, index) => ({
      ...{ given: one, index },
      operation: attempt({ index, operationID: one.operationId }, () => operationOf(operations, one)),
    }));
    for (const { index, operation } of named) {
      const { operationId: operationID, permission } = operation;
      attempt({ index, operationID }, () => requirePermissions(credentialsOf(response), [permission as Permission]));
    }
    const checks = { validator: parts.validator, batchBody, origin: services.callers.originOf(request) };
    const contained: Contained[] = [];
    for (const { given: one, index, operation } of named) {
      const operationID = operation.operationId;
      const checked = await checkRequest(operation, one, checks).catch((error: unknown) => {
        throw inRequest(error, { index, operationID });
      });
      contained.push({ index, operation, request: checked });
      if (index % CHECKS_IN_A_ROW === CHECKS_IN_A_ROW - 1) await setImmediate();
    }
    await takeRemainingWrites(contained, response, parts.writeLimiter);
    const dryRun = isDryRun(request);
    return (db) => executeAll(contained, { db, context, dryRun, checkAnswer: parts.checkAnswer }, services);
  });
}

function attempt<T>(place: { index: number; operationID: string }, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inRequest(error, place);
  }
}

/** Each write of the batch counts. One was taken when the batch arrived. @throws AppError too_many_requests, invalid_request */
async function takeRemainingWrites(contained: Contained[], response: Response, limiter: WriteLimiter | undefined): Promise<void> {
  const writes = contained.filter(({ operation }) => operation.isWrite).length;
  if (!limiter || writes <= 1) return;
  if (writes > limiter.limit) {
    const errorMessage = `has ${writes} writes, more than the ${limiter.limit} that are allowed in ${limiter.windowMs / 1000} seconds`;
    throw invalid([{ property: "requests", errorMessage }]);
  }
  await takeWrites(limiter, response, writes - 1);
}

type Work = Pick<BatchParts, "checkAnswer"> & { db: Db; context: PermittedContext; dryRun: boolean };

/** The entities that requests address and will write. */
function addressedBy(contained: Contained[]): Subject[] {
  return contained.flatMap(({ operation: { guarded }, request }) =>
    guarded?.parameter === undefined ? [] : [{ type: guarded.type, id: String(request.path[guarded.parameter]) }],
  );
}

async function executeAll(contained: Contained[], work: Work, services: ConsoleServices): Promise<Executed> {
  const items: object[] = [];
  const keptItems: object[] = [];
  const entries: Entry[] = [];
  const { db, context } = work;
  const ahead = createReadAhead(db);
  const find = (through: Db, { type, id }: Subject) =>
    findByID(createStores({ db: through, context, log: createChangeLog(through, context) }), type, id);
  let length = 0;
  for (const [index, one] of contained.entries()) {
    if (index % READ_AHEAD === 0) await ahead.read(addressedBy(contained.slice(index, index + READ_AHEAD)), find);
    const executed = await executeOne(one, { ...work, ahead }, services);
    ahead.forget(executed.entries);
    const shown = work.dryRun && one.operation.isWrite ? dryResult(executed) : executed.result;
    work.checkAnswer(one.operation.operationId, shown);
    const item = toItem(shown, work.dryRun);
    items.push(item.value);
    const isKeptAsShown = work.dryRun || executed.kept === executed.result;
    keptItems.push(isKeptAsShown ? item.value : toItem(executed.kept, false).value);
    for (const entry of executed.entries) entries.push(entry);
    length += item.length;
    if (length > MAX_ANSWER_LENGTH) throw inRequest(tooLong(), placeOf(one));
  }
  const message = "Batch executed successfully.";
  const result = { status: 200, body: { message, data: items } };
  return { result, kept: { status: 200, body: { message, data: keptItems } }, entries };
}

function placeOf({ index, operation }: Contained): { index: number; operationID: string } {
  return { index, operationID: operation.operationId };
}

/** Executes a request of the batch as if it were alone in the transaction. */
async function executeOne(
  one: Contained,
  { db, context, ahead }: Work & { ahead: ReadAhead },
  services: ConsoleServices,
): Promise<Executed> {
  const { operation, request } = one;
  const place = placeOf(one);
  // A database of its own, so that no total is remembered from before the writes of another request, and that a deferred statement that
  // fails later is known to be of this one.
  const through = ahead.forRequest();
  const own: Db = {
    ...through,
    $defer: (statement, explain = (error) => error) => through.$defer(statement, (error) => inRequest(explain(error), place)),
  };
  try {
    return await execute(operation, request, { db: own, context: { ...context, operationID: operation.operationId } }, services);
  } catch (error) {
    throw await firstFailure(db, inRequest(error, place));
  }
}

/** The failure of an earlier request, if one of its deferred statements fails, or else the given one. */
async function firstFailure(db: Db, failure: unknown): Promise<unknown> {
  const index = indexOf(failure);
  if (index === undefined) return failure;
  return db.$executeRaw`select 1`.then(
    () => failure,
    (earlier: unknown) => {
      if (isSerializationFailure(earlier) || isConnectionLoss(earlier)) return earlier;
      return (indexOf(earlier) ?? index) < index ? earlier : failure;
    },
  );
}

function indexOf(error: unknown): number | undefined {
  return error instanceof AppError ? error.contained?.index : undefined;
}

/** The answer to one request, with the length of its text. Entities keep the text that is stored. */
function toItem({ status, body }: Result, dryRun: boolean): { value: object; length: number } {
  const etag = dryRun ? null : tagOf(body);
  const tag = etag === null ? "" : `"etag":${JSON.stringify(etag)},`;
  const text = `{"status":${status},${tag}"body":${bodyText(body)}}`;
  return { value: withText({ status, ...(etag !== null && { etag }), body }, text), length: text.length };
}

function tooLong(): AppError {
  const limit = MAX_ANSWER_LENGTH.toLocaleString("en");
  return new AppError("payload_too_large", `The answers of the batch have more than ${limit} characters. Send fewer requests at once.`);
}
