import type { PermittedContext } from "../common/context.ts";
import { AppError, conflict, invalid } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import {
  type Effect,
  entityKey,
  newScheduledChange,
  operationsOf,
  requireTime,
  type ScheduledChange,
  type StoredRequest,
} from "../console/scheduled-changes/scheduled-change.ts";
import { findWaiting, type Waiting } from "../console/scheduled-changes/scheduled-change-store.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { lock } from "../store/database/locks.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { contextOfAuthor } from "./author.ts";
import { toEffect } from "./effect.ts";
import type { Executor, Prepared } from "./executor.ts";

/** The most changes of a project that wait. */
const MAX_WAITING = 1_000;
/** The most changes that are executed before a new one, to see what it would find. */
const MAX_EARLIER = 50;
/** The most requests in these changes, in total. */
const MAX_EARLIER_REQUESTS = 500;
/** How often they are tried: again each time that one fails, or that they write further entities. */
const MAX_ATTEMPTS = 10;
/** The most characters of a stored body. */
const MAX_BODY_LENGTH = 2 ** 20;
/** The most characters of the changes that are stored with a request. */
const MAX_CHANGES_LENGTH = 4 * 2 ** 20;

const exact = (count: number): string => count.toLocaleString("en");

type Env = { database: Database; executor: Executor };

/**
 * Stores a request, to be executed at a time. First it is executed in a transaction that is rolled back, after the changes of the same
 * entities that wait for an earlier time.
 * @param keep called in the transaction that stores it
 * @throws AppError what executing the request throws; conflict if too many changes wait; payload_too_large
 */
export async function scheduleChange(
  { database, executor }: Env,
  given: { request: StoredRequest; applyAt: number },
  context: PermittedContext,
  keep: (db: Db, change: ScheduledChange) => void,
): Promise<ScheduledChange> {
  const { request, applyAt } = given;
  requireTime(applyAt, context.now);
  requireStorable(request);
  const effect = await foresee({ database, executor }, given, context);
  const { length } = JSON.stringify(effect.changes);
  if (length > MAX_CHANGES_LENGTH)
    throw invalid([
      {
        property: "applyAt",
        errorMessage: `cannot be used: the changes have ${exact(length)} characters, more than the limit of ${exact(MAX_CHANGES_LENGTH)}`,
      },
    ]);
  return writing(database, async (db) => {
    const by = { ...context, operationID: "scheduleChange" };
    const { scheduledChanges } = createStores({ db, context: by, log: createChangeLog(db, by) });
    await lock(db, `scheduled changes of ${context.projectID}`);
    if ((await scheduledChanges.countWaiting()) >= MAX_WAITING)
      throw conflict(`The project already has ${exact(MAX_WAITING)} scheduled changes. Cancel one first.`, "applyAt");
    const change = await scheduledChanges.create(newScheduledChange({ ...request, ...effect, applyAt }, by));
    keep(db, change);
    return change;
  });
}

function requireStorable({ body }: StoredRequest): void {
  if (JSON.stringify(body).length > MAX_BODY_LENGTH)
    throw new AppError(
      "payload_too_large",
      `A body with more than ${exact(MAX_BODY_LENGTH)} characters cannot be scheduled. Split it into smaller changes.`,
    );
}

type Earlier = { id: string; prepared: Prepared; context: PermittedContext; requests: number };

/** The effect that the request would have at its time. Earlier changes that would fail are left out. */
async function foresee(
  { database, executor }: Env,
  given: { request: StoredRequest; applyAt: number },
  context: PermittedContext,
): Promise<Effect> {
  const { request, applyAt } = given;
  const prepared = await executor.prepare(request, context);
  const { requireMatches } = prepared;
  if (requireMatches) await writing(database, (db) => requireMatches({ db, context }), { dryRun: true });
  const failing = new Set<string>();
  let keys = prepared.addressed ? [entityKey({ entityType: prepared.addressed.type, entityID: prepared.addressed.id })] : [];
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const waiting = await reading(database, (db) => findWaiting({ db, projectID: context.projectID }, applyAt));
    const before = listEarlier(waiting, keys).filter((id) => !failing.has(id));
    if (before.length > MAX_EARLIER)
      throw conflict(`More than ${MAX_EARLIER} scheduled changes to the same entities come before this one.`, "applyAt");
    const earlier = await prepareEach({ database, executor }, before, failing, context);
    const effect = await attempt(database, { earlier, prepared, context, failing });
    if (!effect) continue;
    const found = [...new Set([...keys, ...effect.entities.map(entityKey)])];
    const left = listEarlier(waiting, found).filter((id) => !failing.has(id) && !before.includes(id));
    if (left.length === 0) return effect;
    keys = found;
  }
  throw conflict(
    "Too many earlier scheduled changes will fail or change other entities too, so this one cannot be checked. Cancel some of them first.",
    "applyAt",
  );
}

/** Executes the changes and the request in a transaction that is rolled back. Undefined if one of the changes failed. */
function attempt(
  database: Database,
  { earlier, prepared, context, failing }: { earlier: Earlier[]; prepared: Prepared; context: PermittedContext; failing: Set<string> },
): Promise<Effect | undefined> {
  let current: string | undefined;
  const work = async (db: Db): Promise<Effect> => {
    // The caller saw the entity as it is before all of them.
    const precondition = prepared.precondition();
    for (const one of earlier) {
      current = one.id;
      await one.prepared.run({ db, context: one.context, precondition });
      await settle(db);
    }
    current = undefined;
    const entries = await prepared.run({ db, context, precondition });
    await settle(db);
    return toEffect(entries);
  };
  return writing<Effect | undefined>(database, work, { dryRun: true }).catch((error: unknown) => {
    if (current === undefined || isOfCaller(error)) throw error;
    failing.add(current);
    return undefined;
  });
}

/** Whether an error, while an earlier change was executed, is not that change's: the caller's If-Match, and a database that is away. */
function isOfCaller(error: unknown): boolean {
  if (!(error instanceof AppError)) return false;
  return error.code === "unavailable" || (error.code === "precondition_failed" && error.contained === undefined);
}

/** Sends what a request deferred, so that a failure of it is known to be the request's. */
export async function settle(db: Db): Promise<void> {
  await db.$executeRaw`select 1`;
}

/** The ids of the waiting changes that share an entity with these, directly or through others, in their order. */
function listEarlier(waiting: readonly Waiting[], keys: readonly string[]): string[] {
  const known = new Set(keys);
  const chosen = new Set<string>();
  // A change counts if it shares an entity with one that comes later.
  for (const { id, keys: own } of waiting.toReversed()) {
    if (!own.some((key) => known.has(key))) continue;
    chosen.add(id);
    for (const key of own) known.add(key);
  }
  return waiting.filter(({ id }) => chosen.has(id)).map(({ id }) => id);
}

/** Prepares changes with their authors' present permissions. Those that can't be prepared are added to `failing`. */
async function prepareEach(
  { database, executor }: Env,
  ids: string[],
  failing: Set<string>,
  context: PermittedContext,
): Promise<Earlier[]> {
  const { projectID, now, provisioning } = context;
  const system = systemContext("applyScheduledChange", now, projectID);
  const found: Earlier[] = [];
  let requests = 0;
  for (const id of ids) {
    const prepare = async (): Promise<Earlier | undefined> => {
      const change = await reading(database, (db) =>
        createStores({ db, context: system, log: createChangeLog(db, system) }).scheduledChanges.find(id),
      );
      if (!change) return undefined;
      const by = await reading(database, (db) => contextOfAuthor(db, change, { projectID, now, provisioning }));
      const prepared = await executor.prepare({ ...change, ifMatch: null }, by);
      return { id, prepared, context: by, requests: operationsOf(change).length };
    };
    const one = await prepare().catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code === "unavailable") throw error;
      return undefined;
    });
    if (one) found.push(one);
    else failing.add(id);
    requests += one?.requests ?? 0;
    if (requests > MAX_EARLIER_REQUESTS) {
      const most = exact(MAX_EARLIER_REQUESTS);
      throw conflict(`Earlier scheduled changes to the same entities contain more than ${most} requests.`, "applyAt");
    }
  }
  return found;
}
