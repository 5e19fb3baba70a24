// The model endpoint of a project in words, and the request that changes it. Pure.
import type { BatchRequest, Changes, Schema, WritableSchema } from "../../api.ts";
import { describeFields } from "../../saving/draft-model.ts";
import type { DescribedEntity } from "../../targeting/changes.ts";
import type { FieldWords } from "../../targeting/field-changes.ts";

export type Endpoint = Schema<"ModelEndpoint">;
type Shown = Omit<Endpoint, "version">;

/** Fields as they are typed. The API key is empty unless a new one is typed. */
export type EndpointTexts = { url: string; defaultModel: string; apiKey: string };

const WORDS: Record<keyof Shown, FieldWords> = {
  url: { label: "Base URL", as: "value" },
  defaultModel: { label: "Default model", as: "value" },
  keyTime: { label: "API key", as: "value" },
};

/** A dry run's changes of the endpoint. The API key is in no change: two keys are never set at once, so the new one differs. */
export function describeEndpoint(changes: Changes): DescribedEntity[] {
  return changes.flatMap(({ entityType, fields }) => {
    if (entityType !== "model_endpoint") return [];
    const side = (which: "before" | "after") => {
      const values = new Map(fields.map((change) => [change.field, change[which] ?? null]));
      const key = which === "before" ? "the stored one" : "the new one";
      return { url: values.get("url"), defaultModel: values.get("defaultModel"), keyTime: values.get("keyTime") == null ? null : key };
    };
    return describeFields(WORDS, { type: entityType, noun: "Model endpoint", id: "model" }, side("before"), side("after"));
  });
}

/** The fields that differ from the stored ones. Empty if none does. */
export function changedFields({ url, defaultModel }: Endpoint, texts: EndpointTexts): WritableSchema<"ModelEndpointPatch"> {
  const model = texts.defaultModel.trim();
  return {
    ...(texts.url.trim() !== (url ?? "") && { url: texts.url.trim() }),
    ...(model !== (defaultModel ?? "") && { defaultModel: model === "" ? null : model }),
    ...(texts.apiKey.trim() !== "" && { apiKey: texts.apiKey.trim() }),
  };
}

/** @param ifMatch the ETag of the endpoint that is changed */
export const patchWrite = (body: WritableSchema<"ModelEndpointPatch">, ifMatch: string): BatchRequest => ({
  operationId: "patchModelEndpoint",
  body,
  ifMatch,
});

/** The same without the API key, for the review. */
export const shownWrite = (body: WritableSchema<"ModelEndpointPatch">, ifMatch: string): BatchRequest =>
  patchWrite(body.apiKey == null ? body : { ...body, apiKey: "API_KEY" }, ifMatch);
