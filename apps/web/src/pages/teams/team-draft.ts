// Edits of a team that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored, setFields } from "../../saving/draft-model.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";

export type Team = Schema<"Team">;
export type StoredTeam = Stored<Team>;

/** The fields that the page edits. People are in a team by their addresses. */
export type Fields = Pick<Team, "name" | "description" | "changeTeamConfigs" | "requireReviews" | "reviewApproval"> & {
  members: string[];
  admins: string[];
};
export type TeamDraft = FieldsDraft<Team, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  changeTeamConfigs: { label: "Edit access to the team’s entities", as: "value" },
  requireReviews: { label: "Reviews required", as: "value" },
  reviewApproval: { label: "Who can approve", as: "value" },
  members: { label: "Members", as: "names" },
  admins: { label: "Admins", as: "names" },
};

function toFields({ name, description, changeTeamConfigs, requireReviews, reviewApproval, members, admins }: Team): Fields {
  const emails = (users: Team["members"]) => users.map(({ email }) => email);
  return { name, description, changeTeamConfigs, requireReviews, reviewApproval, members: emails(members), admins: emails(admins) };
}

export const teamModel = fieldsModel<Team, Fields>(WORDS, toFields);

/** Adds a person to one of the two lists, and removes them from the other one. */
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

export const toWriteRequests = (draft: TeamDraft): BatchRequest[] => [
  { operationId: "patchTeam", path: { id: draft.stored.entity.id }, body: changedParts(teamModel, draft), ifMatch: draft.stored.etag },
];

const difference = (id: string, before: Fields, after: Fields) => describeFields(WORDS, { type: "team", noun: "Team", id }, before, after);

export const describeDraft = ({ stored: { entity }, fields }: TeamDraft) => difference(entity.name, toFields(entity), fields);

export const describeVersions = (before: Team, after: Team) => difference(after.name, toFields(before), toFields(after));
