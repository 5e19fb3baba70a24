import { parse } from "node:querystring";
import type { BodyDescription, OperationDescription } from "@gatehouse/contract";
import type { WritableSchema } from "@gatehouse/contract/console";
import type { Request, Response } from "express";
import { invalid, type Violation } from "../../common/errors.ts";
import { requireWithin } from "../common/body-rules.ts";
import { unknownName } from "../common/violations.ts";
import { type CheckedRequest, type ConsoleOperation, isDryRun } from "./execute.ts";
import type { RequestValidator } from "./validator.ts";

export type RequestInput = WritableSchema<"BatchRequest">;

/** The operations that a batch can contain, by operationId. */
export function batchable(operations: ConsoleOperation[]): ReadonlyMap<string, ConsoleOperation> {
  return new Map(operations.filter((one) => one.isBatchable).map((one) => [one.operationId, one]));
}

/** @throws AppError invalid_request if no batch can contain it */
export function requireOperation(operations: ReadonlyMap<string, ConsoleOperation>, { operationId }: RequestInput): ConsoleOperation {
  const operation = operations.get(operationId);
  if (operation) return operation;
  const { property, errorMessage } = unknownName("operationId", operationId, [...operations.keys()]);
  throw invalid([{ property, errorMessage: errorMessage.replace("is unknown", "is no operation that a batch can contain") }]);
}

/** Query parameters that belong to a batch, not to a request in it. */
const OF_WHOLE_BATCH = ["impact", "reason", "applyAt", "repeat", "repeatUntil", "bypassReview", "requestReview", "reviewers"];

type Checks = { validator: RequestValidator; containingBody: BodyDescription; baseUrl: string };

/**
 * Checks one request of a batch as the router checks a separate request: by the same validator, which reads a URL.
 * @throws AppError invalid_request, payload_too_large
 */
export async function checkRequest(operation: ConsoleOperation, given: RequestInput, checks: Checks): Promise<CheckedRequest> {
  const { validator, containingBody, baseUrl } = checks;
  const { ifMatch } = given;
  const violations = [...pathViolations(operation, given), ...ifMatchViolations(operation, given)];
  if (violations.length > 0) throw invalid(violations);
  const limits = operation.body;
  if (limits && given.body !== undefined && isNarrower(limits, containingBody)) requireWithin(given.body, limits);
  const request = asRequest(operation, given);
  await validator.check(request, {} as Response);
  const checked = { path: request.params, query: request.query, body: request.body, ifMatch, baseUrl };
  const ofBatch = [...(isDryRun(checked) ? ["dryRun"] : []), ...OF_WHOLE_BATCH.filter((name) => Object.hasOwn(checked.query, name))];
  if (ofBatch.length > 0)
    throw invalid(ofBatch.map((property) => ({ property, errorMessage: "belongs to the batch, not to a request in it" })));
  return checked;
}

function isNarrower(limits: BodyDescription, { maxBytes, maxValues }: BodyDescription): boolean {
  return limits.maxBytes < maxBytes || limits.maxValues < maxValues;
}

function pathViolations({ parameters }: OperationDescription, { path = {} }: RequestInput): Violation[] {
  const names = parameters.flatMap((one) => (one.in === "path" ? [one.name] : []));
  const missing = names
    .filter((name) => !Object.hasOwn(path, name))
    .map((name) => ({ property: `path.${name}`, errorMessage: "is required" }));
  const unknown = Object.keys(path).filter((name) => !names.includes(name));
  return [...missing, ...unknown.map((name) => unknownName(`path.${name}`, name, names))];
}

/** In a separate request an operation ignores headers that it does not take. Here it would ignore a condition that the caller states. */
function ifMatchViolations({ takesIfMatch, operationId }: OperationDescription, { ifMatch }: RequestInput): Violation[] {
  if (ifMatch === undefined || takesIfMatch) return [];
  return [{ property: "ifMatch", errorMessage: `is not taken by ${operationId}` }];
}

/** The request as Express would have routed it, in as far as the validator reads it. An operation without a body ignores one that is sent. */
function asRequest(operation: ConsoleOperation, { path = {}, query = {}, body, ifMatch }: RequestInput): Request {
  const pathname = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encode(String(path[name])));
  const search = toQueryString(query);
  const url = search === "" ? pathname : `${pathname}?${search}`;
  const headers = {
    ...(operation.body && { "content-type": "application/json" }),
    ...(ifMatch !== undefined && { "if-match": ifMatch }),
  };
  return {
    ...{ path: pathname, url, originalUrl: url, baseUrl: "", route: { path: operation.path.replaceAll(/\{(\w+)\}/g, ":$1") } },
    ...{ app: { param: () => {}, enabled: () => true }, method: operation.method.toUpperCase(), headers },
    ...{ params: {}, query: parse(search, "&", "=", { maxKeys: 0 }), body: operation.body && body },
  } as unknown as Request;
}

/** Halves of surrogate pairs, which a URL cannot have, become U+FFFD. */
function encode(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}

function toQueryString(query: NonNullable<RequestInput["query"]>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== null) search.append(name, String(item));
  }
  return search.toString();
}
