// Edits of a prompt dataset that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";

export type PromptDataset = Schema<"PromptDataset">;
export type Row = Schema<"PromptDatasetRow">;
export type StoredDataset = Stored<PromptDataset>;
export type Fields = Pick<PromptDataset, "description" | "rows" | "tags"> & TeamFields & OwnerFields;
export type DatasetDraft = FieldsDraft<PromptDataset, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  rows: { label: "Rows", as: "text" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toFields = ({ description, rows, tags, team, teamID, owner = null }: PromptDataset): Fields => ({
  ...{ description, rows, tags, owner },
  ...toTeamFields({ team, teamID }),
});

export const datasetModel = fieldsModel<PromptDataset, Fields>(WORDS, toFields);

export const toWriteRequests = (draft: DatasetDraft): BatchRequest[] => [
  {
    operationId: "patchPromptDataset",
    path: { id: draft.stored.entity.id },
    body: changedParts(datasetModel, draft),
    ifMatch: draft.stored.etag,
  },
];

const difference = (id: string, before: Fields, after: Fields) =>
  describeFields(WORDS, { type: "prompt_dataset", noun: "Prompt dataset", id }, before, after);

export const describeDraft = ({ stored: { entity }, fields }: DatasetDraft) => difference(entity.name, toFields(entity), fields);

export const describeVersions = (before: PromptDataset, after: PromptDataset) => difference(after.name, toFields(before), toFields(after));

/** The names of the inputs of rows, in their order. */
export const inputNames = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap(({ input }) => Object.keys(input)))];
