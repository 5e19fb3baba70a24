import type { RequestHandler } from "express";
import type { AccountEnv, SignedInEnv, WithSession } from "../../accounts/account-env.ts";
import type { SessionLimits } from "../../accounts/session-store.ts";
import type { Database } from "../../store/database.ts";
import { sessionOf } from "./authenticate.ts";
import { originOf } from "./observe.ts";
import type { SessionCookie } from "./session-cookie.ts";

type Request = { path: unknown; query: unknown; body: unknown };
type Result = { status: number; body: object } & Partial<WithSession>;
export type AccountHandler = (request: Request & AccountEnv & Partial<SignedInEnv>) => Promise<Result>;

export type AccountServices = {
  database: Database;
  now: () => number;
  cookie: SessionCookie;
  sessionLimits: SessionLimits;
};

/** Serves an operation of one's own session. Takes neither an Idempotency-Key nor a dry run. */
export function serveAccount(handler: AccountHandler, services: AccountServices): RequestHandler {
  const { database, cookie, sessionLimits: limits } = services;
  return async (request, response) => {
    const { params: path, query, body } = request;
    const now = services.now();
    const session = sessionOf(response);
    const origin = originOf(response);
    const result = await handler({ path, query, body, database, now, limits, origin, ...(session && { session }) });
    if (result.session) response.set("Set-Cookie", cookie.write(result.session.secret, result.session.endsTime - now));
    // A session's answers are nobody else's, and no cache may have them.
    response.set("Cache-Control", "no-store").status(result.status).json(result.body);
  };
}
