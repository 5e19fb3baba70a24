import { Prisma } from "../../generated/prisma/client.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters, type Labels } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import { namedByRowSource } from "../common/row-source.ts";
import type { NamedKind } from "../slice.ts";
import type { AssignmentSource } from "./assignment-source.ts";

export const assignmentSourceKind: NamedKind<"assignment_source", AssignmentSource> = {
  table: "assignment_source",
  type: "assignment_source",
  idColumn: "name",
  getID: (source) => source.name,
  references: namedByRowSource,
  columns: BY_LABELS,
  listing: BY_NAME,
  named: { as: "assignment_source", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createAssignmentSourceStore(deps: StoreDeps) {
  const store = entityStore(deps, assignmentSourceKind);
  return { ...store, list: (labels: Labels, window: Window) => store.listWhere(filters.labeled(labels), window) };
}
