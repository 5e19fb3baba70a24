// Edits of a prompt that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";
import { OWNER_WORDS, type OwnerFields } from "../../targeting/owner-fields.ts";
import { TEAM_WORDS, type TeamFields, toTeamFields } from "../../targeting/team-fields.ts";

export type Prompt = Schema<"Prompt">;
export type StoredPrompt = Stored<Prompt>;
type Fields = Pick<Prompt, "description" | "tags"> & TeamFields & OwnerFields;
export type PromptDraft = FieldsDraft<Prompt, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
  ...OWNER_WORDS,
};

const toFields = ({ description, tags, team, teamID, owner = null }: Prompt): Fields => ({
  ...{ description, tags, owner },
  ...toTeamFields({ team, teamID }),
});

export const promptModel = fieldsModel<Prompt, Fields>(WORDS, toFields);

export const toWriteRequests = (draft: PromptDraft): BatchRequest[] => [
  {
    operationId: "patchPrompt",
    path: { id: draft.stored.entity.id },
    body: changedParts(promptModel, draft),
    ifMatch: draft.stored.etag,
  },
];

export const describeDraft = ({ stored: { entity }, fields }: PromptDraft) =>
  describeFields(WORDS, { type: "prompt", noun: "Prompt", id: entity.displayName }, toFields(entity), fields);
