import type { Access, OperationDescription, Permission } from "@gatehouse/contract";
import type { Request, RequestHandler, Response } from "express";
import { credentialsOfPerson, mustSetUpSecondFactor } from "../../accounts/account.ts";
import type { SecondFactorSettings } from "../../accounts/account-env.ts";
import type { SessionCheck } from "../../accounts/session-check.ts";
import type { Session } from "../../accounts/session-store.ts";
import type { AddressList } from "../../common/address-ranges.ts";
import type { Authenticate, Credentials } from "../../common/context.ts";
import { AppError, forbidden, forbiddenFrom, unauthorized } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import type { Callers } from "../common/callers.ts";
import type { Cookies } from "./cookies.ts";
import { requireSameOrigin } from "./same-origin.ts";

export type Identification = {
  authenticate: Authenticate;
  sessions: SessionCheck;
  cookies: Cookies;
  callers: Callers;
  descriptions: Record<string, OperationDescription>;
  /** The addresses that people can use the console from. Undefined means everywhere. */
  consoleAddresses: AddressList | undefined;
};

/**
 * Puts the credentials of the request's key or session into `response.locals` before anything else of the request is read. Rejects keys of other
 * types, and requests without credentials unless the operation needs none. People are only accepted from `consoleAddresses`.
 */
export function identifyCaller({
  authenticate,
  sessions,
  cookies,
  callers,
  descriptions,
  consoleAddresses,
}: Identification): RequestHandler {
  const findOpen = openOperations(descriptions);
  return async (request, response, next) => {
    const key = presentedKey(request);
    // A key header wins, and a cookie beside it is ignored.
    const secret = key === undefined ? cookies.readSession(request) : undefined;
    const address = callers.resolveAddress(request);
    const open = findOpen(request);
    // Errors of operations that answer browsers are pages, even before the router knows the operation.
    if (open) response.locals.answersPages = open.answersPages;
    if (open || secret !== undefined) requireConsoleAddress(consoleAddresses, address);
    if (open) requireSameOrigin(request, callers.resolveOrigin, secret !== undefined);
    else if (secret !== undefined) {
      requireSameOrigin(request, callers.resolveOrigin, true);
      const project = projectNamed(request);
      response.locals.session = requireSession(await sessions.find(secret));
      response.locals.credentials = credentialsOfPerson(response.locals.session, project);
      response.locals.identifyAgain = async () => credentialsOfPerson(requireSession(await sessions.peek(secret)), project);
    } else {
      const identify = async () => {
        const credentials = await authenticate(key, address);
        if (credentials.scope.type !== "CONSOLE") throw forbidden("a key of the type CONSOLE");
        return credentials;
      };
      response.locals.credentials = await identify();
      response.locals.identifyAgain = identify;
    }
    next();
  };
}

function requireConsoleAddress(addresses: AddressList | undefined, address: string): void {
  if (addresses?.includes(address) === false) throw forbiddenFrom(address, "The console", "GATEHOUSE_CONSOLE_ADDRESSES does");
}

/** The project that the path names, or else the header. A key has its own. */
function projectNamed(request: Request): string | undefined {
  return /^\/projects\/([^/]+)/.exec(request.path)?.[1] ?? request.get("GATEHOUSE-PROJECT");
}

function requireSession(session: Session | undefined): Session {
  if (!session) throw unauthorized("The session has ended. Sign in again.");
  return session;
}

/** Finds the operation of a request if it needs no credentials. Such a path has no parameters. */
function openOperations(descriptions: Record<string, OperationDescription>): (request: Request) => OperationDescription | undefined {
  const open = Object.values(descriptions).filter(({ permission }) => permission === "none");
  const byPlace = new Map(open.map((one) => [`${one.method.toUpperCase()} ${one.path}`, one]));
  return ({ method, baseUrl, path }) => byPlace.get(`${method} ${baseUrl}${path}`);
}

/** Rejects callers without the permission that an operation needs, and sessions of people who have not set up the required second factor. */
export function requireAccess(
  needed: Permission | Access,
  { opensBeforeSecondFactor, opensOnOwnKey }: Pick<OperationDescription, "opensBeforeSecondFactor" | "opensOnOwnKey">,
  secondFactors: Pick<SecondFactorSettings, "isRequired">,
): RequestHandler {
  return (request, response, next) => {
    const session = getSession(response);
    if (session && !opensBeforeSecondFactor && mustSetUpSecondFactor(session, secondFactors)) throw withoutSecondFactor();
    if (needed === "session" && !session) throw forbidden("the session of a person");
    if (needed === "administrator" && !session?.person.isAdministrator) throw forbidden("the session of a server administrator");
    const isOwnKey = opensOnOwnKey === true && !session && namesOwnKey(request, response);
    if (isPermission(needed) && !isOwnKey) requirePermissions(getCredentials(response), [needed]);
    next();
  };
}

/** Whether a path names the key of the request, by its ID or its secret. */
function namesOwnKey(request: Request, response: Response): boolean {
  return request.params.id === getCredentials(response).actor.id || request.params.id === presentedKey(request);
}

function presentedKey(request: Request): string | undefined {
  return request.get("SERVICE-API-KEY") ?? request.get("STATSIG-API-KEY");
}

function withoutSecondFactor(): AppError {
  return new AppError("forbidden", "This server requires a second factor. Set one up in your account first.");
}

/** A batch needs the permissions of the requests that it contains. They are checked when these are read. */
const ACCESS: ReadonlySet<string> = new Set<Access>(["none", "session", "administrator", "contained"]);

function isPermission(needed: Permission | Access): needed is Permission {
  return !ACCESS.has(needed);
}

/** The credentials of the caller. */
export function getCredentials(response: Response): Credentials {
  return response.locals.credentials;
}

/** Finds the present credentials of the caller, for a response that continues. @throws AppError unauthorized, forbidden, unavailable */
export function identifyAgain(response: Response): Promise<Credentials> {
  return response.locals.identifyAgain();
}

/** The session of the request; undefined if it has a key. */
export function getSession(response: Response): Session | undefined {
  return response.locals.session;
}
