import type { Context } from "../../context.ts";
import type { Reference } from "../../reference.ts";
import { entityStore, type Kind } from "../../store/entity-store.ts";
import { register } from "../../store/named-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { newUnitIDType, type UnitIDType } from "./unit-id-type.ts";

const kind: Kind<UnitIDType> = {
  table: "unit_id_type",
  type: "unit_id_type",
  idOf: ({ id }) => id,
  columns: () => ({}),
};

export function createUnitIDTypeStore(context: StoreContext) {
  return {
    ...entityStore(context, kind),

    /** Makes those types that are named for the first time. @throws AppError invalid_request at the place of a name that cannot be one */
    register: (references: Reference[], by: Context) =>
      register(context, kind, references, ({ id, place }) => newUnitIDType({ name: id }, by, place)),
  };
}
