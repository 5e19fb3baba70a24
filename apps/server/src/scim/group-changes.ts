import type { WritableSchema } from "@gatehouse/contract/scim";
import { readEntries, readProperty, readText } from "./attribute-values.ts";
import type { Filter } from "./parse-filter.ts";
import { type PatchPath, parsePath } from "./patch-path.ts";
import { refuse } from "./scim-error.ts";
import { readOp, requireWritable } from "./user-changes.ts";

/** The attributes of a group that a request can set. `members` are the ids of people. */
export type GroupAttributes = { displayName: string; externalID: string | null; members: ReadonlySet<string> };

type Operation = WritableSchema<"PatchRequest">["Operations"][number];
type Op = ReturnType<typeof readOp>;

/** So few that the roles of all members can change in one transaction. */
export const MAX_MEMBERS = 500;
const MAX_NAME_LENGTH = 255;
const MAX_ID_LENGTH = 100;

/** The attributes of a new group, or those that a PUT replaces. @param members kept if the body leaves them out */
export function readGroup(body: WritableSchema<"ScimGroupRequest">, members: ReadonlySet<string>): GroupAttributes {
  return {
    displayName: readName(body.displayName),
    externalID: readText("externalId", body.externalId, MAX_NAME_LENGTH),
    members: body.members === undefined ? members : new Set(readMembers(body.members)),
  };
}

/**
 * The group after the operations of a PATCH.
 * @throws ScimError invalidSyntax, invalidPath, invalidFilter, invalidValue, noTarget, mutability
 */
export function patchGroup(group: GroupAttributes, operations: Operation[]): GroupAttributes {
  let named = 0;
  const members = new Set(group.members);
  let changed: GroupAttributes = { ...group, members };
  for (const { op: given, path, value } of operations) {
    const op = readOp(given);
    if (path) apply(requireWritable(parsePath(path)), op, value);
    else if (op === "remove") throw refuse("noTarget", "A remove operation needs a path.");
    else for (const [name, one] of readEntries("value", value)) apply(isName(name) ? parsePath(name) : { attribute: null }, op, one);
  }
  return changed;

  function apply({ attribute, filter, part }: PatchPath, op: Op, value: unknown): void {
    const set = op === "remove" ? null : value;
    if (attribute === "displayname") changed = { ...changed, displayName: readName(set) };
    else if (attribute === "externalid") changed = { ...changed, externalID: readText("externalId", set, MAX_NAME_LENGTH) };
    else if (attribute === "members") changeMembers(op, value, filter, part);
  }

  function changeMembers(op: Op, value: unknown, filter: Filter | undefined, part: string | undefined): void {
    if (part !== undefined) throw refuse("invalidPath", "Members can only be changed as a whole.");
    if (filter && op !== "remove") throw refuse("invalidPath", "A filter can only be used to remove members.");
    const ids = filter ? idsIn(filter) : readMembers(value);
    named += ids.length;
    if (named > MAX_MEMBERS) throw tooMany();
    const clears = op === "replace" || (op === "remove" && !filter && (value === undefined || value === null));
    if (clears) members.clear();
    for (const id of ids) op === "remove" ? members.delete(id) : members.add(id);
  }
}

function tooMany() {
  return refuse("invalidValue", `members must not have more than ${MAX_MEMBERS} values.`);
}

function isName(name: string): boolean {
  return /^[a-z$]/i.test(name) && name.length <= 1_000;
}

function readName(value: unknown): string {
  const name = readText("displayName", value, MAX_NAME_LENGTH)?.trim();
  if (!name) throw refuse("invalidValue", "displayName is required.");
  return name;
}

function readMembers(value: unknown): string[] {
  const members = value === null || value === undefined ? [] : [value].flat();
  if (members.length > MAX_MEMBERS) throw tooMany();
  return members.map((member) => {
    const type = readProperty(member, "type");
    if (typeof type === "string" && type.toLowerCase() === "group")
      throw refuse("invalidValue", "Members must be users. Groups in groups are not supported.");
    return readID(typeof member === "string" ? member : readProperty(member, "value"));
  });
}

function readID(value: unknown): string {
  const id = readText("members.value", value, MAX_ID_LENGTH);
  if (id === null) throw refuse("invalidValue", "members.value is required.");
  return id;
}

/** The ids that a filter such as `value eq "…" or value eq "…"` names. @throws ScimError invalidFilter */
function idsIn(filter: Filter): string[] {
  if (filter.kind === "or") return filter.filters.flatMap(idsIn);
  if (filter.kind === "compare" && filter.attribute === "members.value" && filter.operator === "eq") return [readID(filter.value)];
  throw refuse("invalidFilter", 'Members can only be selected by their value: members[value eq "…"].');
}
