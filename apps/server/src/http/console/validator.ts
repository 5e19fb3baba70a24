import type { OperationDescription } from "@gatehouse/contract";
import type { Request, RequestHandler, Response } from "express";
import { middleware } from "express-openapi-validator";
import { invalid, type Violation } from "../../common/errors.ts";
import { shorten } from "../../common/place.ts";
import type { Document } from "../common/document.ts";
import { FORMATS } from "../common/formats.ts";
import { nullableQueryNames, queryNames, readPlaces, singlyGiven } from "../common/known-names.ts";
import { toViolations, unknownName, type ValidatorError } from "../common/violations.ts";

type Options = Parameters<typeof middleware>[0];

export type RequestValidator = {
  /**
   * Checks a request after its body was read. Coerces its query to the contract's types, and removes read-only properties from its body.
   * @throws AppError invalid_request with the violations
   */
  check(request: Request, response: Response): Promise<void>;
  /**
   * Compiles the validators for the requests of a route, ahead of the first one.
   * @throws Error if the contract cannot be compiled, for example because of a dangling reference
   */
  compile(routePath: string, method: string, takesBody: boolean): Promise<void>;
};

/** An API of the contract. */
type Contract = { document: Document; descriptions: Record<string, OperationDescription> };

/** Checks requests that Express has routed against the contract. */
export function createRequestValidator(contract: Contract): RequestValidator {
  const run = async (request: Request, response: Response) => {
    for (const handler of getChain(contract.document)) {
      // The first handler matches the operation, and later ones check the body.
      listSingleItems(contract, request);
      await settled(handler, request, response);
    }
  };
  return {
    async check(request, response) {
      await run(request, response).catch((error: unknown) => {
        throw toInvalid(contract, request, error as ValidationFailure);
      });
      const unknown = unknownParameters(contract, request);
      if (unknown.length > 0) throw invalid(unknown);
      takeNulls(contract, request);
    },

    async compile(routePath, method, takesBody) {
      // Most operations reject an empty request, but only after compiling their validators.
      await run(emptyRequest(routePath, method, takesBody), {} as Response).catch((error: unknown) => {
        if (!isRefusal(error as ValidationFailure)) throw error;
      });
    },
  };
}

/** The validator's parts. They are independent of a server, so that all servers of a process share a document's compiled parts. */
const chains = new WeakMap<Document, RequestHandler[]>();

function getChain(document: Document): RequestHandler[] {
  const chain = chains.get(document) ?? createChain(document);
  chains.set(document, chain);
  return chain;
}

function createChain(given: Document): RequestHandler[] {
  const document = withCheckedMaps(given);
  return middleware({
    apiSpec: { ...document, servers: [{ url: "/" }], components: withReserved(document) } as unknown as Options["apiSpec"],
    validateApiSpec: false,
    validateSecurity: false,
    formats: FORMATS as Options["formats"],
    validateResponses: false,
    fileUploader: false,
    // `toInvalid` reports unknown parameters, together with the other violations.
    validateRequests: { allErrors: true, removeAdditional: "failing", allowUnknownQueryParameters: true },
  }) as RequestHandler[];
}

/**
 * The contract with maps that refuse a value against their schema. With the schema in `additionalProperties`, the validator would drop the
 * value. Parts without maps are the same objects.
 */
function withCheckedMaps<Part>(part: Part): Part {
  if (typeof part !== "object" || part === null) return part;
  const values = Object.values(part);
  const checked = values.map(withCheckedMaps);
  const same = checked.every((value, index) => value === values[index]) ? part : withValues(part, checked);
  const { additionalProperties: schema, ...rest } = same as { additionalProperties?: unknown };
  if (typeof schema !== "object" || schema === null) return same;
  if ("properties" in rest || "patternProperties" in rest) throw new Error("The contract has a map beside named properties.");
  return { ...rest, patternProperties: { "^": schema } } as Part;
}

function withValues<Part extends object>(part: Part, values: unknown[]): Part {
  if (Array.isArray(part)) return values as unknown as Part;
  return Object.fromEntries(Object.keys(part).map((name, index) => [name, values[index]])) as Part;
}

/** Query parameters with `allowReserved`: otherwise the validator rejects `+` for a space, and `*` and `'`, which few clients encode. */
function withReserved({ components = {} }: Document): Document["components"] {
  const parameters = Object.entries(components.parameters ?? {});
  return {
    ...components,
    parameters: Object.fromEntries(parameters.map(([name, one]) => [name, { ...(one as object), allowReserved: true }])),
  };
}

function settled(handler: RequestHandler, request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    Promise.resolve(handler(request, response, (error?: unknown) => (error ? reject(error) : resolve()))).catch(reject);
  });
}

/** A request with the properties that the validator reads before it compiles. */
function emptyRequest(routePath: string, method: string, takesBody: boolean): Request {
  const headers = takesBody ? { "content-type": "application/json" } : {};
  const app = { param: () => {}, enabled: () => true };
  const path = routePath.replaceAll(/:\w+/g, "x");
  const url = { path, url: path, originalUrl: path, baseUrl: "", route: { path: routePath } };
  return { ...url, app, method, headers, query: {}, params: {} } as unknown as Request;
}

/** An error of the validator: the first violations, and the number of all. */
type ValidationFailure = Error & { status?: number; path?: string; errors?: ValidatorError[]; errorCount?: number };

/** Whether the request caused the failure. */
function isRefusal({ status = 500 }: ValidationFailure): boolean {
  return status >= 400 && status < 500;
}

/** The error for the caller. Other failures are returned unchanged. */
function toInvalid(contract: Contract, request: Request, failure: ValidationFailure): Error {
  if (failure.status !== 400) return failure;
  const unknown = unknownParameters(contract, request);
  const errors = failure.errors ?? [{ path: failure.path ?? "", message: failure.message }];
  const places = readPlaces(contract.document, matchedOperation(contract, request), request);
  const violations = toViolations(errors.map(withKeyword), places);
  const repeated = errors.length - violations.length;
  return invalid([...unknown, ...violations], unknown.length + (failure.errorCount ?? errors.length) - repeated);
}

/** `required.openapi.validation` → `required` */
function withKeyword(error: ValidatorError): ValidatorError {
  return { ...error, ...(error.errorCode !== undefined && { errorCode: error.errorCode.replace(/\..*/, "") }) };
}

/** The operation that the validator matched to a request. */
function matchedOperation({ descriptions }: Contract, request: Request): OperationDescription | undefined {
  const { operationId = "" } = (request as { openapi?: { schema?: { operationId: string } } }).openapi?.schema ?? {};
  return descriptions[operationId];
}

/** Violations for query parameters that the operation does not have. */
function unknownParameters(contract: Contract, request: Request): Violation[] {
  const operation = matchedOperation(contract, request);
  const query = request.originalUrl.split("?")[1];
  if (!operation || operation.takesAnyQuery || !query) return [];
  const known = queryNames(operation);
  const given = [...new Set(new URLSearchParams(query).keys())];
  const unknown = given.filter((name) => !known.includes(name.replace(/\[.*/, "")));
  return unknown.map((name) => unknownName(shorten(name), name, known, operation.refusedParameters));
}

/** The names of lists that can be sent as their only item, by operation. */
const singleNames = new WeakMap<OperationDescription, string[]>();

/** Puts such items into lists, in place: `"web"` → `["web"]`. */
function listSingleItems(contract: Contract, request: Request): void {
  const operation = matchedOperation(contract, request);
  if (!operation || typeof request.body !== "object" || request.body === null) return;
  const names = singleNames.get(operation) ?? singlyGiven(contract.document, operation);
  singleNames.set(operation, names);
  for (const name of names) if (typeof request.body[name] === "string") request.body[name] = [request.body[name]];
}

/** A URL can express null only as text. It means that the filter is not set. */
function takeNulls(contract: Contract, request: Request): void {
  if (!request.originalUrl.includes("?")) return;
  for (const name of nullableQueryNames(matchedOperation(contract, request))) {
    if (request.query[name] === "null") delete request.query[name];
  }
}
