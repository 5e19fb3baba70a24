import type { RequestHandler } from "express";
import type { Authenticate } from "../context.ts";

/** Leaves the caller's credentials in `response.locals`, before anything else of the request is read. */
export function requireKey(authenticate: Authenticate): RequestHandler {
  return async (request, response, next) => {
    response.locals.credentials = await authenticate(request.get("SERVICE-API-KEY") ?? request.get("STATSIG-API-KEY"));
    next();
  };
}
