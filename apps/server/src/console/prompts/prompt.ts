import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import type { Reference } from "../../reference.ts";
import { identifier } from "../common/identifier.ts";
import { namedLabels } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";

export type Prompt = Schema<"Prompt">;
type PromptCreate = WritableSchema<"PromptCreate">;

const DEFAULTS = {
  description: "",
  idType: "userID",
  targetApps: [],
  holdoutIDs: [],
  tags: [],
  team: null,
  teamID: null,
} satisfies Partial<Prompt>;

/** A prompt made from as little as a name. */
export function newPrompt(given: PromptCreate, context: Context): Prompt {
  return { id: identifier(given.name), displayName: given.name, ...DEFAULTS, ...created(context), ...given };
}

/** The prompt as it was, as a new version. The holdouts that it is in now are kept. */
export function restorePrompt(prompt: Prompt, old: Prompt, context: Context): Prompt {
  return { ...old, holdoutIDs: prompt.holdoutIDs, ...modified(prompt, context) };
}

/** What the prompt names. */
export function namedByPrompt(prompt: Prompt): Reference[] {
  return namedLabels(prompt);
}
