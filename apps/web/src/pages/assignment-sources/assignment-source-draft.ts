// Edits of an assignment source that are not saved yet. Pure.
import type { BatchRequest, Schema, WritableSchema } from "../../api.ts";
import type { UnitColumn } from "../../entity/unit-columns.tsx";
import { changedParts, describeFields, type FieldsDraft, fieldsModel } from "../../saving/draft-model.ts";
import { empty, error, faultsOfUnits, toMapping, toUnitColumns, unitTexts } from "../../sources/unit-faults.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS } from "../../targeting/team-fields.ts";
import type { Fault } from "../../targeting/types.ts";

export type AssignmentSource = Schema<"AssignmentSource">;

const OWN = [
  "description",
  "tags",
  "team",
  "teamID",
  "sql",
  "timestampColumn",
  "experimentIDColumn",
  "groupIDColumn",
  "isVerified",
] as const;
export type Fields = Pick<AssignmentSource, (typeof OWN)[number]> &
  OwnerFields & {
    /** Empty without such a column. */
    groupNameColumn: string;
    idTypeMapping: readonly UnitColumn[];
  };
export type AssignmentSourceDraft = FieldsDraft<AssignmentSource, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  sql: { label: "Query", as: "text" },
  timestampColumn: { label: "Time column", as: "value" },
  experimentIDColumn: { label: "Experiment column", as: "value" },
  groupIDColumn: { label: "Group column", as: "value" },
  groupNameColumn: { label: "Group name column", as: "value" },
  idTypeMapping: { label: "ID columns", as: "names" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
  isVerified: { label: "Verified", as: "value" },
};

const toFields = (source: AssignmentSource): Fields => ({
  ...(Object.fromEntries(OWN.map((name) => [name, source[name]])) as Pick<AssignmentSource, (typeof OWN)[number]>),
  owner: source.owner ?? null,
  groupNameColumn: source.groupNameColumn ?? "",
  idTypeMapping: toUnitColumns(source.idTypeMapping),
});

export const assignmentSourceModel = fieldsModel<AssignmentSource, Fields>(WORDS, toFields);

export function toWriteRequests(draft: AssignmentSourceDraft): BatchRequest[] {
  const { idTypeMapping, ...changed } = changedParts(assignmentSourceModel, draft);
  if (assignmentSourceModel.countChanges(draft) === 0) return [];
  const body: WritableSchema<"AssignmentSourcePatch"> = {
    ...changed,
    ...(idTypeMapping && { idTypeMapping: toMapping(idTypeMapping) }),
  };
  return [{ operationId: "patchAssignmentSource", path: { name: draft.stored.entity.name }, body, ifMatch: draft.stored.etag }];
}

/** Mappings as texts, one for each. */
const toTexts = (fields: Fields) => ({ ...fields, idTypeMapping: unitTexts(fields.idTypeMapping) });

const difference = (id: string, before: Fields, after: Fields): DescribedEntity[] =>
  describeFields(WORDS, { type: "assignment_source", noun: "Assignment source", id }, toTexts(before), toTexts(after));

export const describeDraft = ({ stored: { entity }, fields }: AssignmentSourceDraft) => difference(entity.name, toFields(entity), fields);

export const describeVersions = (before: AssignmentSource, after: AssignmentSource) =>
  difference(after.name, toFields(before), toFields(after));

/** The faults of the draft, each with its path in a request. */
export function faultsOfDraft({ stored, fields }: AssignmentSourceDraft): Fault[] {
  const isDropped = stored.entity.groupNameColumn !== undefined && fields.groupNameColumn.trim() === "";
  return [
    ...empty("sql", fields.sql, "Enter the query that returns the assignments."),
    ...empty("timestampColumn", fields.timestampColumn, "Enter the column with the time of each row."),
    ...empty("experimentIDColumn", fields.experimentIDColumn, "Enter the column with the experiment."),
    ...empty("groupIDColumn", fields.groupIDColumn, "Enter the column with the group."),
    ...(isDropped ? [error("groupNameColumn", "You can change this, but it can’t be empty.")] : []),
    ...faultsOfUnits(fields.idTypeMapping),
  ];
}
