import { setImmediate } from "node:timers/promises";
import type { BodyDescription, Permission } from "@gatehouse/contract";
import type { PermittedContext, Principal } from "../../common/context.ts";
import { AppError, inRequest, type Contained as Place } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { createStores, findByID } from "../../console/stores.ts";
import { createChangeLog, type Entry } from "../../store/change-log/change-log.ts";
import { isConnectionLoss, isSerializationFailure } from "../../store/database/database-errors.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { createReadAhead, type ReadAhead, type Subject } from "../../store/requests/read-ahead.ts";
import { checkRequest, type RequestInput, requireOperation } from "./batch-requests.ts";
import {
  type CheckedRequest,
  type ConsoleOperation,
  type ConsoleServices,
  dryResult,
  type Executed,
  execute,
  type Result,
  toEtag,
} from "./execute.ts";
import { bodyText, withText } from "./send-json.ts";
import type { RequestValidator } from "./validator.ts";

/** The most characters of the answers of a batch together. */
const MAX_ANSWER_LENGTH = 2 ** 24;
/** How many requests have the entities that they address read together. Bounds the memory for such rows. */
const READ_AHEAD = 25;
/** After this many checks, other requests have their turn. */
const CHECKS_IN_A_ROW = 20;

/** A request that another one contains, checked as if it were sent alone. */
export type Contained = { place: Place; operation: ConsoleOperation; request: CheckedRequest };

type Checks = {
  /** The operations that can be contained, by operationId. */
  operations: ReadonlyMap<string, ConsoleOperation>;
  /** The list of the containing request. */
  list: Place["list"];
  validator: RequestValidator;
  containingBody: BodyDescription;
  baseUrl: string;
};

/**
 * Checks requests as the router checks separate ones: first the permissions of all of them, then their contents.
 * @throws AppError forbidden, invalid_request, payload_too_large, of the first that fails
 */
export async function checkAll(given: RequestInput[], by: Principal, checks: Checks): Promise<Contained[]> {
  const { operations, list } = checks;
  const named = given.map((one, index) => {
    const place: Place = { list, index, operationID: one.operationId };
    return { given: one, place, operation: attempt(place, () => requireOperation(operations, one)) };
  });
  for (const { place, operation } of named) {
    attempt(place, () => requirePermissions(by, [operation.permission as Permission]));
  }
  const contained: Contained[] = [];
  for (const { given: one, place, operation } of named) {
    const request = await checkRequest(operation, one, checks).catch((error: unknown) => {
      throw inRequest(error, place);
    });
    contained.push({ place, operation, request });
    if (place.index % CHECKS_IN_A_ROW === CHECKS_IN_A_ROW - 1) await setImmediate();
  }
  return contained;
}

function attempt<T>(place: Place, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw inRequest(error, place);
  }
}

type Work = {
  db: Db;
  context: PermittedContext;
  dryRun: boolean;
  /** Checks the answer of an operation against the contract. */
  checkAnswer(operationID: string, result: Result): void;
};

/** The entities that requests address and will write. */
function addressedBy(contained: Contained[]): Subject[] {
  return contained.flatMap(({ operation: { guarded }, request }) =>
    guarded?.parameter === undefined ? [] : [{ type: guarded.type, id: String(request.path[guarded.parameter]) }],
  );
}

/** Executes requests in their order, in one transaction, as a batch answers them. @throws the error of the first that fails */
export async function executeAll(contained: Contained[], work: Work, services: ConsoleServices): Promise<Executed> {
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
    if (length > MAX_ANSWER_LENGTH) throw inRequest(tooLong(), one.place);
  }
  const message = "Batch executed successfully.";
  const result = { status: 200, body: { message, data: items } };
  return { result, kept: { status: 200, body: { message, data: keptItems } }, entries };
}

/** Executes a request of the batch as if it were alone in the transaction. */
async function executeOne(
  one: Contained,
  { db, context, ahead }: Work & { ahead: ReadAhead },
  services: ConsoleServices,
): Promise<Executed> {
  const { operation, request, place } = one;
  // A separate database, so that totals from before another request's writes are forgotten, and that a deferred statement that fails later
  // is known to be of this request.
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
  const index = containedIndex(failure);
  if (index === undefined) return failure;
  return db.$executeRaw`select 1`.then(
    () => failure,
    (earlier: unknown) => {
      if (isSerializationFailure(earlier) || isConnectionLoss(earlier)) return earlier;
      return (containedIndex(earlier) ?? index) < index ? earlier : failure;
    },
  );
}

function containedIndex(error: unknown): number | undefined {
  return error instanceof AppError ? error.contained?.index : undefined;
}

/** The answer to one request, with the length of its text. Entities keep the text that is stored. */
function toItem({ status, body }: Result, dryRun: boolean): { value: object; length: number } {
  const etag = dryRun ? null : toEtag(body);
  const tag = etag === null ? "" : `"etag":${JSON.stringify(etag)},`;
  const text = `{"status":${status},${tag}"body":${bodyText(body)}}`;
  return { value: withText({ status, ...(etag !== null && { etag }), body }, text), length: text.length };
}

function tooLong(): AppError {
  const limit = MAX_ANSWER_LENGTH.toLocaleString("en");
  return new AppError("payload_too_large", `The answers of the batch have more than ${limit} characters. Send fewer requests at once.`);
}
