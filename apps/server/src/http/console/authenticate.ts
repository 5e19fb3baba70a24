import type { RequestHandler, Response } from "express";
import type { Authenticate, Credentials, Permission } from "../../context.ts";
import { forbidden } from "../../errors.ts";

/** Puts the caller's credentials into `response.locals` before anything else of the request is read. Rejects keys of other types. */
export function requireConsoleKey(authenticate: Authenticate): RequestHandler {
  return async (request, response, next) => {
    const credentials = await authenticate(request.get("SERVICE-API-KEY") ?? request.get("STATSIG-API-KEY"));
    if (credentials.scope.type !== "CONSOLE") throw forbidden("a key of the type CONSOLE");
    response.locals.credentials = credentials;
    next();
  };
}

/** Rejects keys that lack a required scope. */
export function requirePermissions(needed: Permission[]): RequestHandler {
  return (_request, response, next) => {
    const { permissions } = credentialsOf(response);
    const missing = needed.filter((permission) => !permissions.includes(permission));
    if (missing.length > 0) throw forbidden(`a key with the scope ${missing.join(" and ")}`);
    next();
  };
}

/** The credentials of the caller. */
export function credentialsOf(response: Response): Credentials {
  return response.locals.credentials;
}
