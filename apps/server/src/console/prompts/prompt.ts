import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { identifier } from "../common/identifier.ts";
import { created } from "../common/stamp.ts";

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
