import type { components } from "./generated/console.ts";

/** What a role permits, by its name. */
export type Permission = keyof components["schemas"]["Permissions"];

/** What a key may do beside what its type may, as its field `scopes` has it. */
export type Scope = components["schemas"]["KeyScopes"][number];

/** What gives a permission: built-in roles beside Admin, which has all, and sets of scopes of a key, each of which is enough. */
export type PermissionDescription = { roles: string[]; scopes: Scope[][] };

/** A place in the document of an API, as a reference names it: `#/components/schemas/Gate`. `valueAt` finds what stands there. */
export type Place = string;

/** What programs need to know of an operation to route, check, document and test it. All of it follows from the contract. */
export type OperationDescription = {
  operationId: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  /** `/console/v1/gates/{id}` */
  path: string;
  /** Whether it changes configuration. */
  isWrite: boolean;
  /** By a key, or by a token for its path alone. */
  opensBy: "key" | "token";
  /** What the caller needs. The evaluation API asks for types of keys instead. */
  permission?: Permission;
  /** Whether keys that users of an application hold in their hands do not open it. */
  isForServers: boolean;
  /** The scope with which they do all the same. */
  clientScope?: Scope;
  /** Those of the path first. */
  parameters: ParameterDescription[];
  takesIfMatch: boolean;
  takesIfNoneMatch: boolean;
  /** Whether a write under the same `Idempotency-Key` happens once. */
  takesIdempotencyKey: boolean;
  /** Undefined where it takes none. */
  body?: BodyDescription;
  /** Ascending. */
  statuses: number[];
  /** The schemas of its JSON answers, by status. */
  answers: Record<number, Place>;
  /** Whether a success is JSON, and not a file or a stream. */
  answersJSON: boolean;
  /** The field of its `data` that nothing but the answer to the request itself shows. */
  shownOnce?: string;
  /** Names under its path that are resources of the service whose clients call here, and not available. */
  unavailableNames?: string[];
};

export type ParameterDescription = {
  name: string;
  in: "path" | "query" | "header";
  isRequired: boolean;
  isNullable: boolean;
  schema: Place;
  example?: unknown;
};

export type BodyDescription = {
  isRequired: boolean;
  schema: Place;
  /** The first of its examples. */
  example?: Place;
  /** As sent and as decoded. */
  maxBytes: number;
  /** JSON values, where every item and property counts at any depth. */
  maxValues: number;
  /** Whether one that is announced and empty is refused. */
  refusesEmpty: boolean;
  /** Whether one bad item is no fault of the others. */
  checksItemsSingly: boolean;
};

/** What stands at a place of a document. */
export function valueAt(document: object, place: Place): unknown {
  const steps = place.split("/").slice(1);
  return steps.reduce<unknown>((node, step) => {
    return (node as Record<string, unknown>)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
  }, document);
}
