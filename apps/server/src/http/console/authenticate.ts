import type { Permission } from "@gatehouse/contract";
import type { RequestHandler, Response } from "express";
import type { Authenticate, Credentials } from "../../context.ts";
import { forbidden } from "../../errors.ts";
import { requirePermissions } from "../../permissions.ts";

/** Puts the caller's credentials into `response.locals` before anything else of the request is read. Rejects keys of other types. */
export function requireConsoleKey(authenticate: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const credentials = await authenticate(request.get("SERVICE-API-KEY") ?? request.get("STATSIG-API-KEY"));
    if (credentials.scope.type !== "CONSOLE") throw forbidden("a key of the type CONSOLE");
    response.locals.credentials = credentials;
    next();
  };
}

/** Rejects callers who lack the permission. */
export function requirePermission(needed: Permission): RequestHandler {
  return (_request, response, next) => {
    requirePermissions(credentialsOf(response), [needed]);
    next();
  };
}

/** The credentials of the caller. */
export function credentialsOf(response: Response): Credentials {
  return response.locals.credentials;
}
