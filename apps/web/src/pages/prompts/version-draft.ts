// A version that is not added yet, and the values of its placeholders. Pure.
import type { Schema, WritableSchema } from "../../api.ts";

export type Version = Schema<"PromptVersion">;
export type Message = Schema<"PromptMessage">;

/** A version as the form edits it. Numbers are NaN if they are left out. */
export type VersionDraft = { messages: readonly Message[]; provider: string; model: string; temperature: number; maxTokens: number };

export const toDraft = (from: Version | undefined): VersionDraft => ({
  messages: from?.prompts ?? [{ role: "system", content: "" }],
  provider: from?.provider ?? "",
  model: from?.model ?? "",
  temperature: from?.temperature ?? Number.NaN,
  maxTokens: from?.max_tokens ?? Number.NaN,
});

/** The parameters for which the form has no field. They are taken over. */
function parametersWithoutField(from: Version | undefined) {
  const { top_p, frequency_penalty, presence_penalty, eval_model, workflow_body } = from ?? ({} as Partial<Version>);
  return {
    ...(top_p !== undefined && { top_p }),
    ...(frequency_penalty !== undefined && { frequency_penalty }),
    ...(presence_penalty !== undefined && { presence_penalty }),
    ...(eval_model !== undefined && { eval_model }),
    ...(workflow_body !== undefined && { workflow_body }),
  };
}

/** @param from the version that the draft began with */
export const toBody = (
  { messages, provider, model, temperature, maxTokens }: VersionDraft,
  from: Version | undefined,
): Omit<WritableSchema<"PromptVersionCreate">, "name"> => ({
  ...parametersWithoutField(from),
  prompts: messages.filter(({ content }) => content !== ""),
  ...(provider !== "" && { provider }),
  ...(model !== "" && { model }),
  ...(!Number.isNaN(temperature) && { temperature }),
  ...(!Number.isNaN(maxTokens) && { max_tokens: maxTokens }),
});

/** What a run of the draft sends to the model. @param from the version that the draft began with */
export function toRun(
  draft: VersionDraft,
  from: Version | undefined,
): Omit<WritableSchema<"PromptRunRequest">, "input" | "datasetID" | "row"> {
  const { provider: _, eval_model: __, workflow_body: ___, prompts = [], ...parameters } = toBody(draft, from);
  return { prompts, ...parameters };
}

/** The names of the placeholders in messages, in their order. */
export const placeholdersIn = (messages: readonly Message[]): string[] => [
  ...new Set(
    messages.flatMap(({ content }) => [...content.matchAll(/\{\{[{&#^]?\s*([^{}!>/#^&=\s][^{}]*?)\s*\}\}/g)].map(([, name = ""]) => name)),
  ),
];
