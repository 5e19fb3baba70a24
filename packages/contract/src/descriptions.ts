import type { components } from "./generated/console.ts";
import type { entityTypes } from "./generated/console-entity-types.ts";

/** The type of an entity in its changes: `dynamic_config`. */
export type EntityType = (typeof entityTypes)[number];

/** A permission of a role. */
export type Permission = keyof components["schemas"]["Permissions"];

/**
 * The access that an operation needs in place of a permission: no credentials, a person's session, a server administrator's session, or the access
 * of its requests.
 */
export type Access = "none" | "session" | "administrator" | "contained";

/** A scope of a key. */
export type Scope = components["schemas"]["KeyScopes"][number];

/** The built-in roles that have a permission, beside Admin, which has all, and the sets of scopes that give it to a key. One set is enough. */
export type PermissionDescription = { roles: string[]; scopes: Scope[][] };

/** A reference into an OpenAPI document: `#/components/schemas/Gate`. `valueAt` resolves it. */
export type Place = string;

/** Everything that programs need to route, check, document and test an operation. Generated from the contract. */
export type OperationDescription = {
  operationId: string;
  method: "get" | "post" | "put" | "patch" | "delete";
  /** `/console/v1/gates/{id}` */
  path: string;
  /** Whether it changes configuration. Operations of one's own session do not. */
  isWrite: boolean;
  /** The type of the entity that it reads or writes. Operations that several types have in common have none. */
  entity?: EntityType;
  /** The kind of operation, if it is one that many entities have: `create`, `restoreVersion`. */
  kind?: string;
  /** Whether it is a POST that only reads. */
  readsByPost?: true;
  /** Whether it may read very many rows, outside any transaction. */
  analyses?: true;
  /** The other server that it sends a request to. */
  asks?: "model" | "warehouse" | "webhook";
  /** Whether a key authorizes it, or a token for its path. */
  opensBy: "key" | "token";
  /** Why no page of the web console calls it. */
  uncalled?: string;
  /** The caller's permission. The evaluation API requires types of keys instead. */
  permission?: Permission | Access;
  /** Whether client keys are rejected. */
  isForServers: boolean;
  /** The scope with which client keys are accepted after all. */
  clientScope?: Scope;
  /** Path parameters first. */
  parameters: ParameterDescription[];
  /** Query parameters of other servers that are refused, each with the reason. */
  refusedParameters?: Record<string, string>;
  /** Whether unknown query parameters are ignored instead of rejected. */
  takesAnyQuery?: true;
  /** Whether a batch can contain it: it runs in a project and answers JSON alone. */
  isBatchable: boolean;
  /** Why a batch cannot contain it, if that does not follow from what it answers. */
  unbatched?: string;
  takesIfMatch: boolean;
  takesIfNoneMatch: boolean;
  /** Whether it can be scheduled. */
  takesApplyAt: boolean;
  /** Whether a scheduled request can repeat. */
  takesRepeat?: true;
  /** Why it can't be scheduled, beside answers that are shown once. */
  unscheduled?: string;
  /** Whether writes with the same `Idempotency-Key` happen once. */
  takesIdempotencyKey: boolean;
  /** Undefined if it takes none. */
  body?: BodyDescription;
  /** Ascending. */
  statuses: number[];
  /** The schemas of its JSON responses, by status. */
  answers: Record<number, Place>;
  /** Whether success responses are JSON instead of a file or a stream. */
  answersJSON: boolean;
  /** Whether a success can be a stream of JSON lines (`application/x-ndjson`). */
  answersLines: boolean;
  /** Whether a failure can be a page (`text/html`), for browsers. */
  answersPages?: true;
  /** Whether a key can call it on itself without the permission. The path parameter `id` names the key. */
  opensOnOwnKey?: true;
  /** Whether a session can call it before its person has set up the second factor that the server requires. */
  opensBeforeSecondFactor?: true;
  /** The places of its response that only the response to this request shows: `data.key`, or `data[].token` for each item of a list. */
  shownOnce?: string[];
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
  /** The first example. */
  example?: Place;
  /** The limit of the body as sent, and as decoded. */
  maxBytes: number;
  /** The limit of JSON values: every item and property counts, at any depth. */
  maxValues: number;
  /** Whether a body that is announced but empty is rejected. */
  refusesEmpty: boolean;
  /** Whether items are checked one by one, so that an invalid one does not invalidate the others. */
  checksItemsSingly: boolean;
};

/** Resolves a reference into a document. */
export function valueAt(document: object, place: Place): unknown {
  const steps = place.split("/").slice(1);
  return steps.reduce<unknown>((node, step) => {
    return (node as Record<string, unknown>)[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")];
  }, document);
}
