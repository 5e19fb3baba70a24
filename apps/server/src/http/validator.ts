import type { Request, RequestHandler } from "express";
import { middleware } from "express-openapi-validator";
import { invalid, type Violation } from "../errors.ts";
import { type Document, excerpt, takesLargeBodies } from "./document.ts";
import { nullableQueryNames, type Operation, queryNames } from "./known-names.ts";
import { unknownName } from "./violations.ts";

type Options = Parameters<typeof middleware>[0];

/** Told of a response that the contract does not allow. */
export type OnViolation = (error: Error, operationID: string) => void;

/**
 * Checks every request at one path against the contract: closed bodies, all violations at once (where bodies are large, the first:
 * millions would take all memory), read-only fields taken out. Responses are checked too: with `onViolation` a wrong one is reported and
 * still sent, without it the request fails.
 *
 * Each path has a validator of its own, made at the path's first request: one for the whole document would compare each request with
 * every path, and the server would start only after it had read all of them.
 */
export function createValidator(document: Document, path: string, onViolation?: OnViolation): RequestHandler {
  let chain: RequestHandler[] | undefined;
  return (request, response, next) => {
    chain ??= createChain(document, path, onViolation);
    run(chain, 0, request, response, next);
  };
}

function createChain(document: Document, path: string, onViolation?: OnViolation): RequestHandler[] {
  const validators = middleware({
    apiSpec: excerpt(document, path) as unknown as Options["apiSpec"],
    validateApiSpec: false,
    validateSecurity: false,
    fileUploader: false,
    // Unknown parameters are refused below, beside the other violations of a request.
    validateRequests: { allErrors: !takesLargeBodies(document, path), removeAdditional: "failing", allowUnknownQueryParameters: true },
    validateResponses: onViolation
      ? { onError: (error, _body, request) => onViolation(error, matchedOperation(request as Request)?.operationId ?? "none") }
      : true,
  });
  return [...(validators as RequestHandler[]), settleQuery(document)];
}

function run(chain: RequestHandler[], index: number, ...[request, response, next]: Parameters<RequestHandler>): void {
  const handler = chain[index];
  if (!handler) {
    next();
    return;
  }
  handler(request, response, (error?: unknown) => {
    if (error) next(error);
    else run(chain, index + 1, request, response, next);
  });
}

/** The operation that the validator found for a request. */
export function matchedOperation(request: Request): (Operation & { operationId?: string }) | undefined {
  return (request as { openapi?: { schema?: Operation } }).openapi?.schema;
}

/** The query parameters of a request that its operation does not have. */
export function unknownParameters(document: Document, request: Request): Violation[] {
  const operation = matchedOperation(request);
  const query = request.originalUrl.split("?")[1];
  if (!operation || !query) return [];
  const known = queryNames(document, operation);
  const given = [...new Set(new URLSearchParams(query).keys())];
  return given.filter((name) => !known.includes(name.replace(/\[.*/, ""))).map((name) => unknownName(name, name, known));
}

function settleQuery(document: Document): RequestHandler {
  return (request, _response, next) => {
    if (!request.originalUrl.includes("?")) return next();
    const violations = unknownParameters(document, request);
    if (violations.length > 0) throw invalid(violations);
    // A URL can write null only as text: what it is for is a filter that is not set.
    for (const name of nullableQueryNames(document, matchedOperation(request))) {
      if (request.query[name] === "null") delete request.query[name];
    }
    next();
  };
}
