import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters, type Labels } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_LABELS, BY_NAME } from "../common/listed.ts";
import { needsOfTagged } from "../common/needs.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import { namedByRowSource } from "../common/row-source.ts";
import type { NamedKind } from "../slice.ts";
import type { MetricSource } from "./metric-source.ts";

export const metricSourceKind: NamedKind<"metric_source", MetricSource> = {
  table: "metric_source",
  type: "metric_source",
  idColumn: "name",
  getID: (source) => source.name,
  references: namedByRowSource,
  columns: BY_LABELS,
  listing: BY_NAME,
  named: { as: "metric_source", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: needsOfTagged,
  reach: NOWHERE,
};

export function createMetricSourceStore(deps: StoreDeps) {
  const { db, projectID } = deps;
  const store = entityStore(deps, metricSourceKind);
  return {
    ...store,

    list: (labels: Labels, window: Window) => store.listWhere(filters.labeled(labels), window),

    /** The sources with these names that exist. */
    async findAll(names: string[]): Promise<MetricSource[]> {
      const rows = await db.$queryRaw<{ entity: string }[]>`
        select entity from metric_source where "projectID" = ${projectID} and name = any(${names}) order by name`;
      return rows.map(({ entity }) => fromText<MetricSource>(entity));
    },
  };
}
