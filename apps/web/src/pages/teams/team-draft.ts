// Edits of a team that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { type Choice, type Conflict, conflictsOf, merge } from "../../saving/merge.ts";
import { equal } from "../../targeting/equal.ts";

type Team = Schema<"Team">;

/** What the page edits. People are in a team by their addresses. */
export type Fields = Pick<Team, "name" | "description" | "changeTeamConfigs"> & { members: string[]; admins: string[] };

/** What was read of the team, with its ETag: a save is refused if somebody else saved since. */
export type Stored = { readonly team: Team; readonly etag: string };
export type TeamDraft = { readonly stored: Stored; readonly fields: Fields };

export const FIELD_NAMES: Record<keyof Fields, string> = {
  name: "Name",
  description: "Description",
  changeTeamConfigs: "Who may change what belongs to the team",
  members: "Members",
  admins: "Admins",
};

export function fieldsOf({ name, description, changeTeamConfigs, members, admins }: Team): Fields {
  const emails = (users: Team["members"]) => users.map(({ email }) => email);
  return { name, description, changeTeamConfigs, members: emails(members), admins: emails(admins) };
}

export const draftOf = (stored: Stored): TeamDraft => ({ stored, fields: fieldsOf(stored.team) });

export const setFields = (draft: TeamDraft, changed: Partial<Fields>): TeamDraft => ({ ...draft, fields: { ...draft.fields, ...changed } });

/** Puts a person on one of the two lists. Whoever is on the other one leaves it. */
export function addPerson(draft: TeamDraft, list: "members" | "admins", email: string): TeamDraft {
  const other = list === "members" ? "admins" : "members";
  const without = (emails: readonly string[]) => emails.filter((one) => one !== email);
  return setFields(draft, { [list]: [...without(draft.fields[list]), email], [other]: without(draft.fields[other]) });
}

export const removePerson = (draft: TeamDraft, email: string): TeamDraft =>
  setFields(draft, {
    members: draft.fields.members.filter((one) => one !== email),
    admins: draft.fields.admins.filter((one) => one !== email),
  });

/** The fields that differ from what the edits began from. */
export function changedFields({ stored, fields }: TeamDraft): Partial<Fields> {
  const before = fieldsOf(stored.team);
  const names = Object.keys(fields) as (keyof Fields)[];
  return Object.fromEntries(names.filter((name) => !equal(fields[name], before[name])).map((name) => [name, fields[name]]));
}

export const countChanges = (draft: TeamDraft): number => Object.keys(changedFields(draft)).length;

export const writeOf = (draft: TeamDraft): BatchRequest[] => [
  { operationId: "patchTeam", path: { id: draft.stored.team.id }, body: changedFields(draft), ifMatch: draft.stored.etag },
];

export const conflictsIn = (draft: TeamDraft, current: Stored): Conflict<Fields>[] =>
  conflictsOf(fieldsOf(draft.stored.team), draft.fields, fieldsOf(current.team));

/** The draft on top of what somebody else saved. */
export const mergedDraft = (draft: TeamDraft, current: Stored, choices: Partial<Record<keyof Fields, Choice>>): TeamDraft => ({
  stored: current,
  fields: merge(fieldsOf(draft.stored.team), draft.fields, fieldsOf(current.team), choices),
});
