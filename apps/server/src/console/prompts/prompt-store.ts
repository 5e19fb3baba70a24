import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { namedByPrompt, type Prompt } from "./prompt.ts";

const kind: Kind<Prompt> = {
  table: "prompt",
  type: "prompt",
  idOf: ({ id }) => id,
  references: namedByPrompt,
  columns: () => ({}),
};

export function createPromptStore(context: StoreContext) {
  const store = entityStore(context, kind);
  return {
    ...store,

    /** Newest first. */
    list: (window: Window) => store.list([], window),
  };
}
