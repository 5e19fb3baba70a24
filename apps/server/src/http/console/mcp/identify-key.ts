import type { Request, RequestHandler } from "express";
import type { Authenticate } from "../../../common/context.ts";
import { forbidden } from "../../../common/errors.ts";
import type { Callers } from "../../common/callers.ts";
import { requireSameOrigin } from "../same-origin.ts";

type Options = { authenticate: Authenticate; callers: Callers; corsOrigins: readonly string[] };

/**
 * Puts the credentials of a console key into `response.locals`. The key is in the header of the console API or in `Authorization`, as
 * clients of MCP send one. Cookies are ignored, and pages of other origins need to be allowed, as the protocol demands.
 */
export function identifyKey({ authenticate, callers, corsOrigins }: Options): RequestHandler {
  return async (request, response, next) => {
    const { origin } = request.headers;
    if (origin === undefined || !corsOrigins.includes(origin)) requireSameOrigin(request, callers.resolveOrigin, false);
    const address = callers.resolveAddress(request);
    response.set("WWW-Authenticate", "Bearer");
    const identify = async () => {
      const credentials = await authenticate(presentedKey(request), address);
      if (credentials.scope.type !== "CONSOLE") throw forbidden("a key of the type CONSOLE");
      return credentials;
    };
    response.locals.credentials = await identify();
    response.locals.identifyAgain = identify;
    response.removeHeader("WWW-Authenticate");
    next();
  };
}

function presentedKey(request: Request): string | undefined {
  const [, token] = /^bearer +(\S+) *$/i.exec(request.get("Authorization") ?? "") ?? [];
  return request.get("SERVICE-API-KEY") ?? request.get("STATSIG-API-KEY") ?? token;
}
