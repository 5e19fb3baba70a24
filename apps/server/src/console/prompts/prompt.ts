import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { identifier } from "../../common/identifier.ts";
import { namedLabels } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

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

/** Creates a prompt. Only the name is required. */
export function newPrompt(given: PromptCreate, context: Context): Prompt {
  return { id: identifier(given.name), displayName: given.name, ...DEFAULTS, ...created(context), ...given };
}

/** The old version as a new one, with the current holdouts. */
export function restorePrompt(prompt: Prompt, old: Prompt, context: Context): Prompt {
  return { ...old, holdoutIDs: prompt.holdoutIDs, ...modified(prompt, context) };
}

/** The prompt's references. */
export function namedByPrompt(prompt: Prompt): Reference[] {
  return namedLabels(prompt);
}
