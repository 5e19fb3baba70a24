import type { OperationDescription } from "@gatehouse/contract";
import { type Request, type RequestHandler, type Response, Router } from "express";
import type { Logger } from "pino";
import { INSTANCE_PROJECT } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import { SCIM_ACTOR, type ScimConfig, type ScimEnv, toScimContext } from "../../scim/scim-env.ts";
import { ScimError } from "../../scim/scim-error.ts";
import { createWriteProvisioning, type WriteProvisioning } from "../../scim/write-provisioning.ts";
import type { RepeatedEvents } from "../../store/change-log/repeated-events.ts";
import type { Database } from "../../store/database/database.ts";
import { type Db, reading } from "../../store/database/unit-of-work.ts";
import type { WriteLimiter } from "../../store/requests/write-limiter.ts";
import { readBody } from "../common/body.ts";
import type { Callers } from "../common/callers.ts";
import type { Document } from "../common/document.ts";
import type { LargeBodies, Turn } from "../common/large-bodies.ts";
import { getOrigin } from "../common/observe.ts";
import { refuseNulInPath } from "../common/refuse-nul.ts";
import { createRequestCheck } from "../common/request-check.ts";
import { checkAgainst, createResponseCheck, type OnViolation, type ResponseCheck } from "../common/response-check.ts";
import { bySpecificity, type Compilation, refuseUnknownPath, requireMethod } from "../common/routes.ts";
import { tooManyWrites } from "../common/too-many-writes.ts";
import { answerScimErrors, sendScim } from "./answer.ts";
import { withCanonicalNames } from "./canonical-names.ts";
import { requireToken } from "./require-token.ts";

export type ScimApi = {
  /** The path of the API. The paths of its operations begin with it. */
  prefix: string;
  document: Document;
  descriptions: Record<string, OperationDescription>;
  handlers: object;
};

type Services = {
  config: ScimConfig;
  database: Database;
  callers: Callers;
  largeBodies: LargeBodies;
  repeatedEvents: RepeatedEvents;
  /** If undefined, writes have no limit. */
  writeLimiter: WriteLimiter | undefined;
  /** If undefined, a request whose response violates the contract fails. */
  onViolation: OnViolation | undefined;
  log: Logger;
  now: () => number;
};

type Result = { status: number; body: object | undefined };
type Handler = (request: { path: unknown; query: unknown; body: unknown } & ScimEnv) => Promise<Result>;

const MEDIA_TYPES = ["application/scim+json", "application/json"];
/** Large bodies of identity providers take turns with those of projects. */
const PARTY = "scim";

/** Serves the SCIM API below its prefix. This is the only cast of its handlers, which `Handlers` binds to the operations. */
export function createScimRouter(api: ScimApi, services: Services): { router: Router; compilations: Compilation[] } {
  const { document, descriptions, prefix } = api;
  const router = Router({ caseSensitive: true });
  const operations = Object.values(descriptions);
  const checks = new Map(operations.map((one) => [one.operationId, createResponseCheck(document, one)]));
  const compilations: Compilation[] = [];
  const write = createWriteProvisioning(services.database);
  const check = (response: Response, status: number, body: object | undefined) => {
    const operationID: string | undefined = response.locals.operationID;
    const ofOperation = checks.get(operationID ?? "");
    if (ofOperation) checkAgainst(ofOperation, { status, body, operationID: operationID ?? "" }, services.onViolation);
  };
  router.use(requireToken({ ...services, tokens: services.config.tokens }), refuseNulInPath);
  for (const path of [...new Set(operations.map((one) => one.path))].sort(bySpecificity)) {
    const route = router.route(toPattern(path, prefix));
    const atPath = operations.filter((one) => one.path === path);
    route.all(requireMethod(atPath.map(({ method }) => method.toUpperCase())));
    for (const operation of atPath) {
      route[operation.method](setOperation(operation), serve(operation, api, { ...services, write, check }));
      const responseCheck = checks.get(operation.operationId) as ResponseCheck;
      for (const status of operation.statuses) compilations.push(() => void responseCheck.compile(status));
    }
  }
  router.use(refuseUnknownPath, answerScimErrors(services.log, check));
  return { router, compilations };
}

type Serving = Services & { write: WriteProvisioning; check: (response: Response, status: number, body: object | undefined) => void };

function serve(operation: OperationDescription, { document, handlers, prefix }: ScimApi, services: Serving): RequestHandler {
  const { operationId: operationID, isWrite } = operation;
  const { config, database, callers, largeBodies, writeLimiter, write, check, now } = services;
  const handler = (handlers as Record<string, Handler>)[operationID] as Handler;
  const requestCheck = createRequestCheck(document, operation);
  return async (request, response) => {
    const turn = largeBodies.turn(PARTY);
    try {
      if (isWrite) await takeWrite(writeLimiter);
      const body = await readScimBody(request, turn, operation);
      const checked = requestCheck.check({
        path: request.params as Record<string, string>,
        query: toQuery(request),
        body: withCanonicalNames(document, operation, body),
      });
      // From here on, the write can wait without blocking other large bodies.
      turn.pass();
      const context = toScimContext({ operationID, now: now(), origin: getOrigin(response) });
      const baseUrl = callers.resolveBaseUrl(request) + prefix;
      const work = (db: Db) => handler({ ...checked, db, context, roles: config.roles, baseUrl });
      const result = isWrite ? await write(work) : await reading(database, work);
      check(response, result.status, result.body);
      if (result.status === 201)
        response.set("Location", `${baseUrl}${operation.path.slice(prefix.length)}/${(result.body as { id: string }).id}`);
      sendScim(response, result.status, result.body);
    } finally {
      turn.end();
    }
  };
}

/** Sets the operation for the log, the metrics and the check of the response. */
function setOperation({ operationId }: OperationDescription): RequestHandler {
  return (_request, response, next) => {
    response.locals.operationID = operationId;
    next();
  };
}

/** @throws AppError too_many_requests */
async function takeWrite(limiter: WriteLimiter | undefined): Promise<void> {
  if (!limiter) return;
  const { isAllowed, endsInMs } = await limiter.take({ actor: SCIM_ACTOR, projectID: INSTANCE_PROJECT }, 1);
  if (!isAllowed) throw tooManyWrites(limiter, endsInMs);
}

/** @throws ScimError invalidSyntax; AppError */
async function readScimBody(request: Request, turn: Turn, { body }: OperationDescription): Promise<unknown> {
  if (!body) return undefined;
  return readBody(request, body, turn, MEDIA_TYPES).catch((error: unknown) => {
    const isSyntax = error instanceof AppError && error.code === "invalid_request";
    const [violation] = isSyntax ? (error.violations ?? []) : [];
    throw isSyntax
      ? new ScimError("invalid_request", violation ? `The body ${violation.errorMessage}.` : error.message, "invalidSyntax")
      : error;
  });
}

function toQuery({ originalUrl }: Request): URLSearchParams {
  const mark = originalUrl.indexOf("?");
  return new URLSearchParams(mark < 0 ? "" : originalUrl.slice(mark + 1));
}

function toPattern(path: string, prefix: string): string {
  return path.slice(prefix.length).replaceAll(/\{(\w+)\}/g, ":$1");
}
