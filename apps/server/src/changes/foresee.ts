import type { PermittedContext } from "../common/context.ts";
import { AppError, conflict } from "../common/errors.ts";
import { systemContext } from "../common/system-context.ts";
import type { Requirement } from "../console/reviews/requirement.ts";
import { lastOccurrence, type Repetition } from "../console/scheduled-changes/repetition.ts";
import { type Effect, entityKey, operationsOf, type StoredRequest } from "../console/scheduled-changes/scheduled-change.ts";
import { findWaiting, type Waiting } from "../console/scheduled-changes/scheduled-change-store.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { type Db, reading, writing } from "../store/database/unit-of-work.ts";
import { contextOfAuthor, scheduledBy } from "./author.ts";
import { toEffect } from "./effect.ts";
import type { Executor, Prepared } from "./executor.ts";

/** The most changes that are executed before a new one, to see what it would find. */
const MAX_EARLIER = 50;
/** The most requests in these changes, in total. */
const MAX_EARLIER_REQUESTS = 500;
/** How often they are tried: again each time that one fails, or that they write further entities. */
const MAX_ATTEMPTS = 10;

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000;

export type Env = { database: Database; executor: Executor };

type Earlier = { id: string; prepared: Prepared; context: PermittedContext; requests: number };

/** The effect of a request, and the reasons why it needs a review. They are empty if it needs no review. */
export type Foreseen = { effect: Effect; requirements: Requirement[] };

/** When a request is executed: null for at once. */
export type Time = { applyAt: number | null; repeat?: Repetition | undefined };

type Given = {
  request: StoredRequest;
  /** Whether the request was stored before. Its If-Match was compared then. */
  isStored?: boolean;
} & Time;

/**
 * What the request would do at its time, by executing it in a transaction that is rolled back, after the changes of the same entities that
 * wait for an earlier time. Those that would fail are left out. A request that repeats is executed as its last occurrence of the first week,
 * when others that repeat on the same entities have begun.
 * @param given `applyAt` is null for a request that does not wait, which comes before all of them
 * @throws AppError what executing the request throws; conflict if too many changes come before it
 */
export async function foresee(env: Env, given: Given, context: PermittedContext): Promise<Foreseen> {
  return env.executor.withLatestProject(context.projectID, (isLastAttempt) => tryToForesee(env, { ...given, isLastAttempt }, context));
}

async function tryToForesee(
  { database, executor }: Env,
  { request, isStored = false, applyAt, repeat, isLastAttempt }: Given & { isLastAttempt: boolean },
  context: PermittedContext,
): Promise<Foreseen> {
  const time = applyAt !== null && repeat ? lastOccurrence({ applyAt, repeat }, applyAt + WEEK_MS) : applyAt;
  const prepared = await executor.prepare(request, context);
  const { requireMatches } = prepared;
  if (requireMatches && !isStored) await writing(database, (db) => requireMatches({ db, context }), { dryRun: true });
  const failing = new Set<string>();
  let keys = prepared.addressed ? [entityKey({ entityType: prepared.addressed.type, entityID: prepared.addressed.id })] : [];
  for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts++) {
    const waiting = time === null ? [] : await reading(database, (db) => findWaiting({ db, projectID: context.projectID }, time));
    const before = listEarlier(waiting, keys).filter((id) => !failing.has(id));
    if (before.length > MAX_EARLIER)
      throw conflict(`More than ${MAX_EARLIER} scheduled changes to the same entities come before this one.`, "applyAt");
    const earlier = await prepareEach({ database, executor }, before, failing, context);
    const foreseen = await attempt({ database, executor }, { earlier, prepared, context, failing, isLastAttempt });
    if (!foreseen) continue;
    const found = [...new Set([...keys, ...foreseen.effect.entities.map(entityKey)])];
    const left = listEarlier(waiting, found).filter((id) => !failing.has(id) && !before.includes(id));
    if (left.length === 0) return foreseen;
    keys = found;
  }
  throw conflict(
    "Too many earlier scheduled changes will fail or change other entities too, so this one cannot be checked. Cancel some of them first.",
    "applyAt",
  );
}

type Attempt = { earlier: Earlier[]; prepared: Prepared; context: PermittedContext; failing: Set<string>; isLastAttempt: boolean };

/** Executes the changes and the request in a transaction that is rolled back. Undefined if one of the changes failed. */
function attempt(
  { database, executor }: Env,
  { earlier, prepared, context, failing, isLastAttempt }: Attempt,
): Promise<Foreseen | undefined> {
  let current: string | undefined;
  const work = async (db: Db): Promise<Foreseen> => {
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
    return { effect: toEffect(entries), requirements: await executor.findRequirements(entries, { db, context, isLastAttempt }) };
  };
  return writing<Foreseen | undefined>(database, work, { dryRun: true }).catch((error: unknown) => {
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
      const by = await reading(database, (db) => contextOfAuthor(db, scheduledBy(change), { projectID, now, provisioning }));
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
      const most = MAX_EARLIER_REQUESTS.toLocaleString("en");
      throw conflict(`Earlier scheduled changes to the same entities contain more than ${most} requests.`, "applyAt");
    }
  }
  return found;
}
