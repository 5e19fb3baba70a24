import type { Route } from "@gatehouse/contract";
import type { Permission } from "../../context.ts";
import { type AppError, invalid } from "../../errors.ts";
import type { EvaluationEnv, PreparedResult, ToErrorBody } from "../../evaluation/binding.ts";
import { partsOf } from "../contract-places.ts";
import { type BodyLimits, bodyLimits, type Document, methodsOf } from "../document.ts";
import { createRequestCheck, type RequestCheck } from "../request-check.ts";
import { createResponseCheck, type ResponseCheck } from "../response-check.ts";

type Request = { path: unknown; query: unknown; body: unknown } & EvaluationEnv;
/** What any handler answers. */
export type Result = PreparedResult | { status: number; headers?: Record<string, string>; body: object };
type Handler = (request: Request) => Promise<Result>;

/** An operation, with what it needs to be served. */
export type Operation = {
  operationID: string;
  handler: Handler;
  /** By a key, or by a token for its path alone. */
  opens: "key" | "token";
  /** Closed to keys that users of an application hold in their hands. */
  isForServers: boolean;
  /** The scope that opens it to them all the same. */
  clientScope: Permission | undefined;
  /** How large its body may be; undefined where it takes none. */
  bodyLimits: BodyLimits | undefined;
  /** Whether the handler looks by itself for what cannot be kept: one bad item is no fault of the others. */
  checksItems: boolean;
  requestCheck: RequestCheck;
  responseCheck: ResponseCheck;
  toErrorBody: ToErrorBody | undefined;
};

/** A path of the API with its operations by method. */
type Path = { allowed: string; operations: Map<string, Operation> };

/** `fault` is what is wrong with the parameters, to be told to who has a key. */
export type Match = { path: Path; parameters: Record<string, string>; fault?: AppError };

export type EvaluationApi = {
  document: Document;
  routes: Record<string, Route>;
  handlers: object;
  /** Where errors have a shape of their own, by operationId. */
  errorBodies: Record<string, ToErrorBody>;
};

const NONE = {};

export type OperationTable = { find(path: string): Match | undefined; operations: Operation[] };

/** Finds what serves a path: those without parameters by one look, the few others in turn. */
export function createOperationTable(api: EvaluationApi): OperationTable {
  const exact = new Map<string, Match>();
  const patterns: { pattern: RegExp; path: Path }[] = [];
  for (const [template, item] of Object.entries(api.document.paths)) {
    const path = { allowed: methodsOf(item).join(", "), operations: operationsOf(api, template) };
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
  const paths = [...[...exact.values()].map(({ path }) => path), ...patterns.map(({ path }) => path)];
  return { find, operations: paths.flatMap(({ operations }) => [...operations.values()]) };
}

function operationsOf({ document, routes, handlers, errorBodies }: EvaluationApi, path: string): Map<string, Operation> {
  const atPath = Object.entries(routes).filter(([, route]) => route.path === path);
  return new Map(
    atPath.map(([operationID, { method }]) => {
      const declared = partsOf(document, path, method);
      const operation: Operation = {
        operationID,
        handler: (handlers as Record<string, Handler>)[operationID] as Handler,
        opens: takesToken(document, declared.security ?? []) ? "token" : "key",
        isForServers: declared["x-server-keys-only"] === true,
        clientScope: declared["x-client-scope"],
        bodyLimits: declared.requestBody && bodyLimits(document, path, method),
        checksItems: declared.requestBody?.["x-items-checked-singly"] === true,
        requestCheck: createRequestCheck(document, path, method),
        responseCheck: createResponseCheck(document, path, method),
        toErrorBody: errorBodies[operationID],
      };
      return [method.toUpperCase(), operation];
    }),
  );
}

function takesToken(document: Document, security: Record<string, unknown>[]): boolean {
  const schemes = security.flatMap((one) => Object.keys(one)).map((name) => document.components?.securitySchemes?.[name]);
  return schemes.some(
    (scheme) => (scheme as { in?: string; name?: string }).in === "query" && (scheme as { name: string }).name === "token",
  );
}

/** Of `/v1/things/{id}.json` the parameter matches one step of a path. One at the end takes all that is left: flags may have slashes. */
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
