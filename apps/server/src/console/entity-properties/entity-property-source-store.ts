import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import { namedByRowSource } from "../common/row-source.ts";
import type { NamedKind } from "../slice.ts";
import type { EntityPropertySource } from "./entity-property-source.ts";

export const entityPropertySourceKind: NamedKind<"entity_property_source", EntityPropertySource> = {
  table: "entity_property_source",
  type: "entity_property_source",
  idColumn: "name",
  getID: (source) => source.name,
  references: namedByRowSource,
  columns: {},
  listing: BY_NAME,
  named: { as: "entity_property_source", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createEntityPropertySourceStore(deps: StoreDeps) {
  return entityStore(deps, entityPropertySourceKind);
}
