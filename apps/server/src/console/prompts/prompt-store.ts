import { entityStore } from "../../store/entity-store.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { EntityKind } from "../slice.ts";
import { namedByPrompt, type Prompt } from "./prompt.ts";

export const promptKind: EntityKind<"prompt", Prompt> = {
  table: "prompt",
  type: "prompt",
  idOf: (prompt) => prompt.id,
  references: namedByPrompt,
  columns: {},
  named: null,
  ruleset: "prompts",
  needs: needsOfTagged,
};

export function createPromptStore(deps: StoreDeps) {
  return entityStore(deps, promptKind);
}
