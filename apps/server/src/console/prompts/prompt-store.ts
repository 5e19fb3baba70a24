import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { namedByPrompt, type Prompt } from "./prompt.ts";

const kind: Kind<Prompt> = {
  table: "prompt",
  type: "prompt",
  idOf: ({ id }) => id,
  references: namedByPrompt,
  columns: () => ({}),
};

export function createPromptStore(context: StoreContext) {
  return entityStore(context, kind);
}
