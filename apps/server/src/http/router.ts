import type { Route } from "@gatehouse/contract";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Context, Credentials } from "../context.ts";
import { AppError } from "../errors.ts";
import { createChangeLog } from "../store/change-log.ts";
import type { Database } from "../store/database.ts";
import { entityTag, namesTagWeakly } from "../store/entity-tag.ts";
import type { Precondition } from "../store/precondition.ts";
import { type Db, reading, writing } from "../store/unit-of-work.ts";
import { createStores, type Env } from "../stores.ts";
import { ignoreBody, readBody } from "./body.ts";
import { type Document, declares, methodsOf, takesBody } from "./document.ts";
import { createValidator, type OnViolation } from "./validator.ts";

/** An API of the contract, and a handler for each of its operations. */
export type Api = { prefix: string; document: Document; routes: Record<string, Route>; handlers: object };

type Surroundings = { database: Database; now: () => number; onViolation: OnViolation | undefined };
type Result = { status: number; body: { data?: unknown } };
type AnyHandler = (request: { path: unknown; query: unknown; body: unknown } & Env) => Promise<Result>;

/**
 * Serves every operation of an API. The one cast of handlers is here: the validator, which runs before, guarantees that path, query and
 * body are what the contract declares, and `Handlers` that each operation has its handler.
 */
export function createRouter({ document, routes, handlers }: Api, surroundings: Surroundings): Router {
  const router = Router({ caseSensitive: true });
  for (const path of Object.keys(document.paths).sort(bySpecificity)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    const methods = methodsOf(document.paths[path] as object);
    const validate = createValidator(document, path, surroundings.onViolation);
    route.all(requireMethod(methods));
    for (const [operationID, { method }] of Object.entries(routes).filter(([, operation]) => operation.path === path)) {
      const handler = (handlers as Record<string, AnyHandler>)[operationID] as AnyHandler;
      const takesIfMatch = declares(document, path, method, 412);
      const body = takesBody(document, path, method) ? readBody : ignoreBody;
      route[method](body, validate, serve(operationID, handler, takesIfMatch, surroundings));
    }
  }
  return router;
}

/** A path whose steps are written out goes before one that has parameters in their place. */
function bySpecificity(a: string, b: string): number {
  return a.replaceAll("{", "~") < b.replaceAll("{", "~") ? -1 : 1;
}

function requireMethod(methods: string[]): RequestHandler {
  return (request, response, next) => {
    if (methods.includes(request.method)) return next();
    response.set("Allow", methods.join(", "));
    throw new AppError("method_not_allowed", `${request.method} is not allowed at ${request.baseUrl}${request.path}.`);
  };
}

function serve(operationID: string, handler: AnyHandler, takesIfMatch: boolean, { database, now }: Surroundings): RequestHandler {
  return async (request, response) => {
    const credentials: Credentials = response.locals.credentials;
    const context: Context = { ...credentials, operationID, now: now() };
    const work = (db: Db) => {
      const log = createChangeLog(db, context, takesIfMatch ? precondition(request) : undefined);
      const stores = createStores({ db, projectID: credentials.projectID, log });
      return handler({ path: request.params, query: request.query, body: request.body, context, stores });
    };
    const dryRun = isDryRun(request);
    const result = request.method === "GET" ? await reading(database, work) : await writing(database, work, { dryRun });
    // A version that was not kept has no tag: another write may come to have its number.
    if (!dryRun && answersHeldVersion(request, response, result.body.data)) response.status(304).end();
    else response.status(result.status).json(result.body);
  };
}

/** A new one for each attempt of the transaction. */
function precondition(request: Request): Precondition | undefined {
  const ifMatch = request.get("If-Match");
  return ifMatch === undefined ? undefined : { ifMatch, met: false };
}

function isDryRun(request: Request): boolean {
  return request.body?.dryRun === true;
}

/** Makes an entity's version the answer's ETag, and tells whether the reader holds that version already. */
function answersHeldVersion(request: Request, response: Response, data: unknown): boolean {
  if (!isVersioned(data)) return false;
  const tag = entityTag(data);
  response.set("ETag", tag);
  const held = request.method === "GET" ? request.get("If-None-Match") : undefined;
  return held !== undefined && namesTagWeakly(held, tag);
}

function isVersioned(data: unknown): data is { version: number; createdTime?: number } {
  return typeof data === "object" && data !== null && "version" in data && typeof data.version === "number";
}
