import { entityStore } from "../../store/entities/entity-store.ts";
import { filters, type Labels } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { IN_EVERY_ENVIRONMENT } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import { namedByParamStore, type ParamStore } from "./param-store.ts";

export const paramStoreKind: EntityKind<"param_store", ParamStore> = {
  table: "param_store",
  type: "param_store",
  idColumn: "name",
  getID: (store) => store.name,
  references: namedByParamStore,
  columns: BY_LABELS,
  listing: BY_NAME,
  named: null,
  ruleset: "paramStores",
  needs: needsOfTagged,
  reach: { ...IN_EVERY_ENVIRONMENT, targetApps: { of: ({ targetAppIDs }) => targetAppIDs } },
};

export function createParamStoreStore(deps: StoreDeps) {
  const store = entityStore(deps, paramStoreKind);
  return {
    ...store,

    /** Newest first. */
    list: (filter: Labels, window: Window) => store.listWhere(filters.labeled(filter), window),
  };
}
