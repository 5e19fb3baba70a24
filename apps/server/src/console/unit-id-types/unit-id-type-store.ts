import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { newUnitIDType, type UnitIDType } from "./unit-id-type.ts";

export const unitIDTypeKind: NamedKind<"unit_id_type", UnitIDType> = {
  table: "unit_id_type",
  type: "unit_id_type",
  getID: (type) => type.id,
  references: null,
  columns: { caselessName: { unlisted: (type) => type.name.toLowerCase() } },
  listing: BY_NAME,
  // An invalid name is rejected at the place of the reference.
  named: { as: "unit_id_type", check: "made", make: ({ id, place }, by) => newUnitIDType({ name: id }, by, place) },
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createUnitIDTypeStore(deps: StoreDeps) {
  return entityStore(deps, unitIDTypeKind);
}
