import { type Access, type OperationDescription, type Permission, valueAt } from "@gatehouse/contract";
import { descriptions as consoleDescriptions, permissions } from "@gatehouse/contract/console";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { descriptions as evaluationDescriptions } from "@gatehouse/contract/evaluation";
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { descriptions as scimDescriptions } from "@gatehouse/contract/scim";
import scimDocument from "@gatehouse/contract/scim.json" with { type: "json" };

/** The description of an operation in the form that sweeps over all operations read. */
export type SweptOperation = Omit<OperationDescription, "method" | "statuses" | "body"> & {
  /** In upper case. */
  method: string;
  statuses: string[];
  /** The first example of its request body. */
  example: object | undefined;
  takesBody: boolean;
  /** The name of its body's schema. */
  bodySchema: string | undefined;
  needsBody: boolean;
  /** Whether the body is an array, not an object. */
  takesList: boolean;
  /** The maximum size of a body, bytes. */
  maxBytes: number;
  /** The maximum number of JSON values in a body. */
  maxValues: number;
};

/** Every operation of the console API. */
export const consoleOperations = Object.values(consoleDescriptions).map((one) => sweptOperation(consoleDocument, one));

/**
 * Every operation of the console API, except those that need an identity provider or ask no database (see single-sign-on.test.ts).
 * The stream of changes is left out because its answer never ends (see change-streams.test.ts).
 */
export const operations = consoleOperations.filter(
  ({ path, operationId }) =>
    !path.startsWith("/console/v1/session/oidc") && operationId !== "getSignInMethods" && operationId !== "streamChanges",
);

const ACCESS: (Permission | Access | undefined)[] = ["none", "session", "administrator"];

/** The access that an operation needs in place of a key with a permission; undefined if a key is enough. */
export function requiredAccess({ permission }: Pick<OperationDescription, "permission">): Access | undefined {
  return ACCESS.includes(permission) ? (permission as Access) : undefined;
}

/** Whether an operation needs a permission that no key can have. */
export function needsPerson({ permission }: Pick<OperationDescription, "permission">): boolean {
  return permission !== undefined && permission in permissions && permissions[permission as Permission].scopes.length === 0;
}

/** The operations that need a permission of a key. A batch needs those of the requests that it contains. */
export const forKeys = operations.filter((one) => requiredAccess(one) === undefined && one.permission !== "contained" && !needsPerson(one));

/** What a long sweep covers for each change: every fifth item. If TEST_SEEDS is `all`, as in the nightly run, all of them. */
export const sampled = <Item>(list: readonly Item[]): readonly Item[] =>
  process.env.TEST_SEEDS === "all" ? list : list.filter((_, index) => index % 5 === 0);

/** The operations that a batch can contain. */
export const batchable = operations.filter(({ isBatchable }) => isBatchable);

/** Every operation of the evaluation API, which has its own rules. */
export const evaluationOperations = Object.values(evaluationDescriptions).map((one) => sweptOperation(evaluationDocument, one));

/** Every operation of the SCIM API. */
export const scimOperations = Object.values(scimDescriptions).map((one) => sweptOperation(scimDocument, one));

function sweptOperation(document: object, { body, ...description }: OperationDescription): SweptOperation {
  const example = body?.example === undefined ? undefined : (valueAt(document, body.example) as object);
  return {
    ...description,
    method: description.method.toUpperCase(),
    statuses: description.statuses.map(String),
    example,
    takesBody: body !== undefined,
    bodySchema: body?.schema.split("/").at(-1),
    needsBody: body?.isRequired === true,
    takesList: Array.isArray(example),
    maxBytes: body?.maxBytes ?? 0,
    maxValues: body?.maxValues ?? 0,
  };
}

/** The operations that change configuration. */
export const writes = operations.filter(({ isWrite }) => isWrite);

/** Writes that take no If-Match, but read an entity that they write all the same. */
const READ_WITHOUT_IF_MATCH = ["assignTargetApps", "deleteIngestion", "patchIngestion", "removeProjectMember"];

/** Whether a write asks for work, stops it, or ends sessions, and changes no entity. */
export function changesNoEntity({ path }: Pick<OperationDescription, "path">): boolean {
  return /\/(load_pulse|pulse_load_history|reload|backfill|unit_data\/delete|code_references|redeliver|start_evals|evaluations|alerts\/\{id\}\/resolve|people\/\{id\}\/(sessions|second_factors))\b|\/experiments\/\{id\}\/alerts\b/.test(
    path,
  );
}

/** Whether a write reads an entity first, and so is 409 if another write commits in between. */
export function readsFirst({ operationId, takesIfMatch }: Pick<OperationDescription, "operationId" | "takesIfMatch">): boolean {
  return takesIfMatch || READ_WITHOUT_IF_MATCH.includes(operationId);
}

/** The operation's path with its parameters filled in. */
export function fill(path: string, parameters: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? (name === "version" ? "1" : "absent")));
}

/** The query parameters that an operation requires. */
export function neededParameters({ parameters }: Pick<OperationDescription, "parameters">) {
  return parameters.filter((one) => one.in === "query" && one.isRequired && one.name !== "sdkKey");
}

/** The query parameters that an operation requires, as in the contract: `type=gate&id=new_checkout` */
export function neededQuery(operation: Pick<OperationDescription, "parameters">): string {
  const needed = neededParameters(operation);
  return needed.map(({ name, example }) => `${name}=${encodeURIComponent(String(example))}`).join("&");
}

const matchers = [...consoleOperations, ...evaluationOperations, ...scimOperations].map(({ operationId, method, path, permission }) => {
  const pattern = new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { operationId, method, path, permission, pattern };
});

/** The operationId that serves a path, if any. */
export function operationAt(method: string, path: string): string | undefined {
  return descriptionAt(method, path)?.operationId;
}

/**
 * The access that the operation at a path needs in place of a key: for those that need a person of the project, that of an administrator of
 * the instance, who may do all. The path may have a query.
 */
export function accessAt(method: string, path: string): Access | undefined {
  const found = descriptionAt(method, path.replace(/\?.*/s, ""));
  return found && (needsPerson(found) ? "administrator" : requiredAccess(found));
}

function descriptionAt(method: string, path: string) {
  const ofMethod = matchers.filter((one) => one.method === method);
  return ofMethod.find((one) => one.path === path) ?? ofMethod.find(({ pattern }) => pattern.test(path));
}
