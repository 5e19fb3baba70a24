import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { namedByParamStore, type ParamStore } from "./param-store.ts";

const kind: Kind<ParamStore> = {
  table: "param_store",
  type: "param_store",
  idColumn: "name",
  idOf: ({ name }) => name,
  references: namedByParamStore,
  columns: () => ({}),
};

export function createParamStoreStore(context: StoreContext) {
  return entityStore(context, kind);
}
