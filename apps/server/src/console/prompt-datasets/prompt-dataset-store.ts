import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters, type Labels } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { namedByPromptDataset, type PromptDataset } from "./prompt-dataset.ts";

export const promptDatasetKind: NamedKind<"prompt_dataset", PromptDataset> = {
  table: "prompt_dataset",
  type: "prompt_dataset",
  getID: (dataset) => dataset.id,
  references: namedByPromptDataset,
  columns: BY_LABELS,
  listing: BY_NAME,
  named: { as: "prompt_dataset", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createPromptDatasetStore(deps: StoreDeps) {
  const store = entityStore(deps, promptDatasetKind);
  return {
    ...store,

    /** Newest first. */
    list: (filter: Labels, window: Window) => store.listWhere(filters.labeled(filter), window),
  };
}
