// Edits of a webhook that are not saved yet. Pure.
import type { BatchRequest, Schema } from "../../api.ts";
import { changedParts, describeFields, type FieldsDraft, fieldsModel, type Stored } from "../../saving/draft-model.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";

export type Webhook = Schema<"Webhook">;
export type StoredWebhook = Stored<Webhook>;
export type Fields = Pick<Webhook, "isEnabled" | "name" | "description" | "url" | "format" | "entityTypes" | "actions">;
export type WebhookDraft = FieldsDraft<Webhook, Fields>;

const WORDS: Record<keyof Fields, FieldWords> = {
  isEnabled: { label: "Sending events", as: "switch" },
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  url: { label: "URL", as: "value" },
  format: { label: "Format", as: "value" },
  entityTypes: { label: "Types", as: "names" },
  actions: { label: "Actions", as: "names" },
};

const toFields = ({ isEnabled, name, description, url, format, entityTypes, actions }: Webhook): Fields => ({
  ...{ isEnabled, name, description, url, format, entityTypes, actions },
});

export const webhookModel = fieldsModel<Webhook, Fields>(WORDS, toFields);

export const toWriteRequests = (draft: WebhookDraft): BatchRequest[] => [
  {
    operationId: "patchWebhook",
    path: { id: draft.stored.entity.id },
    body: changedParts(webhookModel, draft),
    ifMatch: draft.stored.etag,
  },
];

const difference = (id: string, before: Fields, after: Fields) =>
  describeFields(WORDS, { type: "webhook", noun: "Webhook", id }, before, after);

export const describeDraft = ({ stored: { entity }, fields }: WebhookDraft) => difference(entity.name, toFields(entity), fields);

export const describeVersions = (before: Webhook, after: Webhook) => difference(after.name, toFields(before), toFields(after));
