import type { WritableSchema } from "@gatehouse/contract/scim";
import { readBoolean, readEntries, readProperty, readText } from "./attribute-values.ts";
import type { Filter } from "./parse-filter.ts";
import { type PatchPath, parsePath } from "./patch-path.ts";
import { refuse } from "./scim-error.ts";

/** The attributes of a user that a request can set. `email` is the address in `emails`. */
export type UserAttributes = {
  userName: string;
  email: string | null;
  externalID: string | null;
  displayName: string | null;
  givenName: string;
  familyName: string;
  active: boolean;
};

export type UserChanges = Partial<UserAttributes>;

type Operation = WritableSchema<"PatchRequest">["Operations"][number];
type Op = "add" | "replace" | "remove";

const MAX_EMAIL_LENGTH = 254;
const MAX_ID_LENGTH = 255;
const MAX_NAME_LENGTH = 200;
const READ_ONLY = ["id", "meta"];

/** The attributes of a new user, or those that a PUT replaces. `active` is missing if the body doesn't have it. */
export function readUser(body: WritableSchema<"ScimUserRequest">): Omit<UserAttributes, "active"> & Pick<UserChanges, "active"> {
  const none = { email: null, externalID: null, displayName: null, givenName: "", familyName: "" };
  const changes = assignEach({}, body);
  const { userName } = changes;
  if (userName === undefined) throw refuse("invalidValue", "userName is required.");
  return { ...none, ...changes, userName };
}

/** The combined changes of the operations of a PATCH. @throws ScimError invalidSyntax, invalidPath, invalidValue, noTarget, mutability */
export function readUserPatch(operations: Operation[]): UserChanges {
  return operations.reduce<UserChanges>((changes, { op: given, path, value }) => {
    const op = readOp(given);
    if (path) return assign(changes, requireWritable(parsePath(path)), op === "remove" ? null : value, op);
    if (op === "remove") throw refuse("noTarget", "A remove operation needs a path.");
    return assignEach(changes, value);
  }, {});
}

/** @throws ScimError invalidSyntax */
export function readOp(text: string): Op {
  const op = text.toLowerCase();
  if (op === "add" || op === "replace" || op === "remove") return op;
  throw refuse("invalidSyntax", "op must be add, replace, or remove.");
}

/** @throws ScimError mutability */
export function requireWritable(path: PatchPath): PatchPath {
  const [attribute = ""] = path.attribute?.split(".") ?? [];
  if (READ_ONLY.includes(attribute)) throw refuse("mutability", `${attribute} can't be changed.`);
  return path;
}

/** Sets the attributes of an object, whose names can be paths. Attributes that the server sets are ignored. */
function assignEach(changes: UserChanges, value: unknown): UserChanges {
  return readEntries("value", value).reduce((sum, [name, one]) => {
    const path = isPath(name) ? parsePath(name) : { attribute: null };
    return assign(sum, path, one, "replace");
  }, changes);
}

/** Whether a name can be a path. Other names, such as those of other schemas, are ignored. */
function isPath(name: string): boolean {
  return /^[a-z$]/i.test(name) && name.length <= 1_000;
}

/** Sets an attribute. The changes have fixed names, so that no name of a request becomes a property. */
function assign(changes: UserChanges, { attribute, filter, part }: PatchPath, value: unknown, op: Op): UserChanges {
  switch (attribute) {
    case "username":
      return { ...changes, userName: required("userName", readText("userName", value, MAX_EMAIL_LENGTH)) };
    case "externalid":
      return { ...changes, externalID: readText("externalId", value, MAX_ID_LENGTH) };
    case "displayname":
      return { ...changes, displayName: readText("displayName", value, MAX_NAME_LENGTH) };
    case "name.givenname":
      return { ...changes, givenName: readText("name.givenName", value, MAX_NAME_LENGTH) ?? "" };
    case "name.familyname":
      return { ...changes, familyName: readText("name.familyName", value, MAX_NAME_LENGTH) ?? "" };
    case "name":
      return value === null ? { ...changes, givenName: "", familyName: "" } : assignName(changes, value, op);
    case "active":
      if (op === "remove") throw refuse("mutability", "active can't be removed. Set it to false.");
      return value === null ? changes : { ...changes, active: readBoolean("active", value) };
    case "emails":
      if (filter && !selectsWork(filter)) return changes;
      if (part !== undefined && part !== "value") return changes;
      return { ...changes, email: part === undefined ? readEmails(value) : readText("emails.value", value, MAX_EMAIL_LENGTH) };
    case "emails.value":
      return { ...changes, email: readText("emails.value", value, MAX_EMAIL_LENGTH) };
    default:
      return changes;
  }
}

function assignName(changes: UserChanges, value: unknown, op: Op): UserChanges {
  return readEntries("name", value).reduce((sum, [name, one]) => {
    return assign(sum, { attribute: `name.${name.toLowerCase()}` }, one, op);
  }, changes);
}

/** The primary address of a list, or else the first one. */
function readEmails(value: unknown): string | null {
  const emails = value === null || value === undefined ? [] : [value].flat();
  const primary = emails.find((email) => [true, "true", "True"].includes(readProperty(email, "primary") as boolean | string));
  const email = primary ?? emails[0];
  return readText("emails.value", typeof email === "string" ? email : readProperty(email, "value"), MAX_EMAIL_LENGTH);
}

/** Whether a filter can match the only address of a user, which has the type `work`. */
function selectsWork(filter: Filter): boolean {
  if (filter.kind !== "compare" || filter.attribute !== "emails.type" || filter.operator !== "eq") return true;
  return typeof filter.value === "string" && filter.value.toLowerCase() === "work";
}

function required(attribute: string, value: string | null): string {
  if (value === null) throw refuse("invalidValue", `${attribute} is required.`);
  return value;
}
