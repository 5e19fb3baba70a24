import type { Route } from "@gatehouse/contract";
import { type RequestHandler, Router } from "express";
import { AppError } from "../errors.ts";
import { requirePermissions } from "./authenticate.ts";
import { ignoreBody, readBody } from "./body.ts";
import { bodyLimit, type Document, declares, methodsOf, scopesFor, shownOnce, takesBody } from "./document.ts";
import { type AnyHandler, type Operation, type Surroundings, serveRead, serveWrite } from "./serve-operation.ts";
import { createValidator, type OnViolation } from "./validator.ts";

/** An API of the contract, and a handler for each of its operations. */
export type Api = { prefix: string; document: Document; routes: Record<string, Route>; handlers: object };

/**
 * Serves every operation of an API. The one cast of handlers is here: the validator, which runs before, guarantees that path, query and
 * body are what the contract declares, and `Handlers` that each operation has its handler.
 */
export function createRouter(
  { document, routes, handlers }: Api,
  surroundings: Surroundings & { onViolation: OnViolation | undefined },
): Router {
  const router = Router({ caseSensitive: true });
  for (const path of Object.keys(document.paths).sort(bySpecificity)) {
    const route = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    const methods = methodsOf(document.paths[path] as object);
    const validate = createValidator(document, path, surroundings.onViolation);
    route.all(requireMethod(methods));
    for (const [operationID, { method }] of Object.entries(routes).filter(([, operation]) => operation.path === path)) {
      const handler = (handlers as Record<string, AnyHandler>)[operationID] as AnyHandler;
      const takesIfMatch = declares(document, path, method, 412);
      const operation: Operation = { operationID, handler, takesIfMatch, shownOnce: shownOnce(document, path, method) };
      const permit = requirePermissions(scopesFor(document, path, method));
      const body = takesBody(document, path, method) ? readBody(bodyLimit(document, path, method)) : ignoreBody;
      const serve = method === "get" ? serveRead : serveWrite;
      route[method](permit, body, validate, serve(operation, surroundings));
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
