import type { OperationDescription } from "@gatehouse/contract";
import { type AppError, invalid } from "../../common/errors.ts";
import type { EvaluationEnv, PreparedResult, ToErrorBody } from "../../evaluation/binding.ts";
import type { Document } from "../common/document.ts";
import { createRequestCheck, type RequestCheck } from "../common/request-check.ts";
import { createResponseCheck, type ResponseCheck } from "../common/response-check.ts";
import type { RequestSort } from "./request-limiter.ts";

type Request = { path: unknown; query: unknown; body: unknown } & EvaluationEnv;
/** The result of any handler. */
export type Result = PreparedResult | { status: number; headers?: Record<string, string>; body: object };
type Handler = (request: Request) => Promise<Result>;

/** An operation, with its handler and checks. */
export type EvaluationOperation = OperationDescription & {
  handler: Handler;
  requestCheck: RequestCheck;
  responseCheck: ResponseCheck;
  toErrorBody: ToErrorBody | undefined;
  /** The limit that counts its requests. */
  sort: RequestSort;
};

/** A path of the API, with its operations by method. */
type Path = { allowed: string; operations: Map<string, EvaluationOperation> };

/** `fault` is the error of invalid path parameters. It is thrown after authentication. */
export type Match = { path: Path; parameters: Record<string, string>; fault?: AppError };

export type EvaluationApi = {
  document: Document;
  descriptions: Record<string, OperationDescription>;
  handlers: object;
  /** For operations whose errors have another shape, by operationId. */
  errorBodies: Record<string, ToErrorBody>;
  /** The operations that take events, by operationId. */
  takingEvents: string[];
};

const NONE = {};

export type OperationTable = { find(path: string): Match | undefined; operations: EvaluationOperation[] };

/** Finds the operations at a path: by one look-up for paths without parameters; the few others are tried in turn. */
export function createOperationTable(api: EvaluationApi): OperationTable {
  const exact = new Map<string, Match>();
  const patterns: { pattern: RegExp; path: Path }[] = [];
  const all = Object.values(api.descriptions).map((description) => operationAt(api, description));
  for (const template of new Set(all.map(({ path }) => path))) {
    const operations = new Map(all.filter(({ path }) => path === template).map((one) => [one.method.toUpperCase(), one]));
    const path = { allowed: [...operations.keys()].join(", "), operations };
    if (template.includes("{")) patterns.push({ pattern: toPattern(template), path });
    else exact.set(template, { path, parameters: NONE });
  }
  const find = (url: string): Match | undefined => {
    const found = exact.get(url);
    if (found) return found;
    for (const { pattern, path } of patterns) {
      const groups = pattern.exec(url)?.groups;
      if (groups) return decoded(path, groups);
    }
    return undefined;
  };
  return { find, operations: all };
}

function operationAt(
  { document, handlers, errorBodies, takingEvents }: EvaluationApi,
  description: OperationDescription,
): EvaluationOperation {
  const { operationId } = description;
  return {
    ...description,
    handler: (handlers as Record<string, Handler>)[operationId] as Handler,
    requestCheck: createRequestCheck(document, description),
    responseCheck: createResponseCheck(document, description),
    toErrorBody: errorBodies[operationId],
    sort: takingEvents.includes(operationId) ? "events" : "evaluation",
  };
}

/**
 * A parameter matches one segment of a path, as in `/v1/things/{id}.json`. One at the end matches the rest, since flags may have slashes.
 */
function toPattern(template: string): RegExp {
  const pattern = template.replaceAll(".", "\\.").replace(/\{(\w+)\}$/, "(?<$1>.+)");
  return new RegExp(`^${pattern.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
}

function decoded(path: Path, groups: Record<string, string>): Match {
  try {
    const parameters = Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
    const hasNul = Object.values(parameters).some((value) => value.includes("\0"));
    return hasNul ? { path, parameters, fault: refusal("must not contain the character U+0000") } : { path, parameters };
  } catch {
    return { path, parameters: groups, fault: refusal("is not valid percent-encoding") };
  }
}

function refusal(errorMessage: string): AppError {
  return invalid([{ property: "path", errorMessage }]);
}
