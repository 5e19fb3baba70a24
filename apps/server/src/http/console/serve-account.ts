import type { RequestHandler } from "express";
import type { AccountEnv, Redirecting, SignedInEnv, WithSession } from "../../accounts/account-env.ts";
import type { SignInState } from "../../accounts/provider.ts";
import type { SessionLimits } from "../../common/session-limits.ts";
import type { Callers } from "../common/callers.ts";
import { getOrigin } from "../common/observe.ts";
import { getSession } from "./authenticate.ts";
import { withBasePath } from "./base-links.ts";
import type { Cookies } from "./cookies.ts";

type Request = { path: unknown; query: unknown; body: unknown };
type Result = { status: number; body: object | undefined } & Partial<WithSession> & Partial<Redirecting>;
export type AccountHandler = (request: Request & AccountEnv & Partial<SignedInEnv>) => Promise<Result>;

export type AccountServices = Pick<AccountEnv, "database" | "log" | "provider" | "passwordSignIn" | "secondFactors" | "repeatedEvents"> & {
  now: () => number;
  callers: Callers;
  cookies: Cookies;
  sessionLimits: SessionLimits;
};

/** Serves an operation of one's own session. Takes neither an Idempotency-Key nor a dry run. */
export function serveAccount(handler: AccountHandler, services: AccountServices): RequestHandler {
  const { database, log, provider, passwordSignIn, secondFactors, repeatedEvents, callers, cookies, sessionLimits: limits } = services;
  const given = { database, log, provider, passwordSignIn, secondFactors, repeatedEvents, limits };
  return async (request, response) => {
    const { params: path, query, body } = request;
    const now = services.now();
    const session = getSession(response);
    const baseUrl = callers.resolveBaseUrl(request);
    const url = new URL(baseUrl + request.originalUrl);
    const signInState = asSignInState(cookies.readSignIn(request));
    const origin = getOrigin(response);
    const ownAddress = callers.ignoresForwarded(request) ? null : origin.address;
    const env = { ...given, now, origin, ownAddress, baseUrl, basePath: callers.basePath, url, signInState };
    const result = await handler({ path, query, body, ...env, ...(session && { session }) });
    if (result.session) response.append("Set-Cookie", cookies.writeSession(result.session.secret, result.session.endsTime - now));
    if (result.signInState !== undefined) response.append("Set-Cookie", cookies.writeSignIn(result.signInState));
    // A session's responses are private, so caches must not store them.
    response.set("Cache-Control", "no-store").status(result.status);
    if (result.location === undefined) response.json(withBasePath(result.body, callers.basePath));
    else response.set("Location", result.location).end();
  };
}

function asSignInState(given: unknown): SignInState | undefined {
  const { state, nonce, verifier } = Object(given) as Partial<SignInState>;
  const isState = [state, nonce, verifier].every((text) => typeof text === "string");
  return isState ? ({ state, nonce, verifier } as SignInState) : undefined;
}
