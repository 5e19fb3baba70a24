import type { OperationDescription } from "@gatehouse/contract";
import type { RequestHandler } from "express";
import { BATCH } from "../../changes/executor.ts";
import { settle } from "../../changes/foresee.ts";
import type { PermittedContext } from "../../common/context.ts";
import { AppError, conflict, restated } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { capitalized, subjectOf } from "../../common/words.ts";
import { createStores } from "../../console/stores.ts";
import { createChangeLog, type Entry } from "../../store/change-log/change-log.ts";
import { type Db, reading, writing } from "../../store/database/unit-of-work.ts";
import { batchable } from "./batch-requests.ts";
import { checkAll, executeAll } from "./contained-requests.ts";
import { isDryRun } from "./execute.ts";
import { type BatchParts, takeRemainingWrites } from "./serve-batch.ts";
import { type StoringServices, serveTransaction } from "./serve-operation.ts";

type Configuration = ReturnType<typeof createStores>["configuration"];
type Step = Awaited<ReturnType<Configuration["plan"]>>[number];

/**
 * Serves the application of a configuration: the requests that it needs are executed in one transaction, as a batch of them would be. If they have to wait for a
 * review or a time, that batch is stored.
 */
export function serveApplication(description: OperationDescription, parts: BatchParts, services: StoringServices): RequestHandler {
  const operations = batchable(parts.operations);
  const { body: containingBody } = description;
  if (!containingBody) throw new Error("An application has a body.");
  const { database } = services;
  const storesOf = (db: Db, context: PermittedContext) => createStores({ db, context, log: createChangeLog(db, context) });
  return serveTransaction(description, services, async (request, response, context) => {
    requirePermissions(context, ["read"]);
    const { configuration, prune = false } = request.body;
    const baseUrl = services.callers.resolveBaseUrl(request);
    const checks = { operations, list: "configuration" as const, validator: parts.validator, containingBody, baseUrl };
    // The validator changes what it checks.
    const check = (steps: Step[]) => checkAll(structuredClone(requestsOf(steps)), context, checks);
    const execute = async (steps: Step[], db: Db, dryRun: boolean) =>
      executeAll(await check(steps), { db, context, dryRun, checkAnswer: parts.checkAnswer }, services);
    const planned = await reading(database, (db) => storesOf(db, context).configuration.plan({ configuration, prune }));
    const steps = await inPlace(planned, async () => {
      await check(planned);
      if (planned.every(({ action }) => action !== "update")) return planned;
      return writing(
        database,
        async (db) => {
          const { entries } = await execute(planned, db, true);
          const { isSame } = storesOf(db, context).configuration;
          return planned.filter((step) => !isWithoutEffect(step, entries, isSame));
        },
        { dryRun: true },
      );
    });
    await takeRemainingWrites(requestsOf(steps).length, response, parts.writeLimiter, "configuration");
    const dryRun = isDryRun(request);
    const requests = requestsOf(steps);
    const run = (db: Db) =>
      inPlace(steps, async () => {
        const { entries } = await execute(steps, db, dryRun);
        await settle(db);
        const result = { status: 200, body: { message: "Configuration applied successfully.", data: steps.map(toChange) } };
        return { result, kept: result, entries };
      });
    const stored = { operationId: BATCH, path: {}, query: {}, body: { requests }, ifMatch: null };
    return Object.assign(run, { stored, restate: (error: unknown) => toPlaced(error, steps) });
  });
}

function requestsOf(steps: Step[]) {
  return steps.flatMap(({ requests }) => requests.map(({ part: _, ...one }) => one));
}

function toChange({ kind, id, name, action, requests }: Step) {
  return { kind, id, name, action, requests: requests.map(({ operationId }) => operationId) };
}

/** Whether a change only writes what the entity is already, for example a value with another layout. */
function isWithoutEffect({ action, type, id, requests }: Step, entries: readonly Entry[], isSame: Configuration["isSame"]): boolean {
  if (action !== "update") return false;
  const ids = new Set([id, ...requests.flatMap(({ path = {} }) => Object.values(path))]);
  const own = entries.filter((entry) => entry.type === type && (ids.has(entry.id) || type === "environment_set" || type === "settings"));
  return own.length > 0 && isSame(type, own.at(0)?.before as object | null, own.at(-1)?.after as object | null);
}

/** Runs work with the requests of steps. An error of a request names the entity that it is about, and its place in the configuration. */
async function inPlace<T>(steps: Step[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toPlaced(error, steps);
  }
}

/** An error of a request as one of its entity. Stored requests are those of a batch. */
function toPlaced(error: unknown, steps: Step[]): unknown {
  return error instanceof AppError && error.contained ? ofEntity(error, error.contained, steps) : error;
}

function ofEntity(error: AppError, { list, index }: NonNullable<AppError["contained"]>, steps: Step[]): AppError {
  const owners = steps.flatMap((step) => step.requests.map(({ part }) => ({ ...step, part })));
  const { type, id, place, part } = owners[index] as Step & { part: string | undefined };
  const { name, has } = subjectOf({ entityType: type, entityID: id });
  const subject = capitalized(name);
  if (error.code === "precondition_failed" || error.violations?.[0]?.property === `${list}[${index}].version`)
    return conflict(
      `${subject} ${has} just changed. Apply the configuration again.`,
      place === undefined ? "configuration" : `configuration.${place}`,
    );
  const at = place === undefined ? "" : `configuration.${place}.${part === undefined ? "" : `${part}.`}`;
  const violations = error.violations?.map(({ property, errorMessage }) => ({
    property: property.replace(/^(configuration|requests)\[\d+\]\./, at),
    errorMessage,
  }));
  return restated(error, { message: `${subject} cannot be applied: ${error.message}`, violations });
}
