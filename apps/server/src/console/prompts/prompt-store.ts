import { entityStore } from "../../store/entities/entity-store.ts";
import { filters, type Labels } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { IN_EVERY_ENVIRONMENT } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { namedByPrompt, type Prompt } from "./prompt.ts";

export const promptKind: EntityKind<"prompt", Prompt> = {
  table: "prompt",
  type: "prompt",
  getID: (prompt) => prompt.id,
  references: namedByPrompt,
  columns: BY_LABELS,
  listing: BY_NAME,
  named: null,
  ruleset: "prompts",
  needs: needsOfTagged,
  reach: IN_EVERY_ENVIRONMENT,
};

export function createPromptStore(deps: StoreDeps) {
  const store = entityStore(deps, promptKind);
  return {
    ...store,

    /** Newest first. */
    list: (filter: Labels, window: Window) => store.listWhere(filters.labeled(filter), window),
  };
}
