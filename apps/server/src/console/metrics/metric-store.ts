import { Prisma } from "../../generated/prisma/client.ts";
import { type DeleteOptions, entityStore } from "../../store/entity-store.ts";
import { fromText } from "../../store/entity-text.ts";
import { filters } from "../../store/filters.ts";
import { createReferences } from "../../store/references.ts";
import type { StoreDeps } from "../../store/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import { metricID } from "../common/named.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/reach.ts";
import type { NamedKind } from "../slice.ts";
import { type Metric, namedByMetric, requireNotPermanent } from "./metric.ts";
import { METRIC_TYPES } from "./metric-checks.ts";
import { needsOfMetric } from "./metric-needs.ts";

type MetricFilter = { showHiddenMetrics?: boolean; tags?: string[] };

export const metricKind: NamedKind<"metric", Metric> = {
  table: "metric",
  type: "metric",
  idOf: (metric) => metric.id,
  references: namedByMetric,
  isArchived: ({ isHidden }) => isHidden,
  columns: {
    isHidden: (metric) => metric.isHidden,
    tags: (metric) => metric.tags,
    events: (metric) => metric.lineage.events,
    dueTime: { unlisted: (metric) => (metric.isHidden ? null : metric.archiveTime) },
  },
  listing: BY_NAME,
  named: { as: "metric", check: "may be missing" },
  ruleset: null,
  needs: needsOfMetric,
  reach: NOWHERE,
};

export function createMetricStore(deps: StoreDeps) {
  const store = entityStore(deps, metricKind);
  const references = createReferences(deps);
  return {
    ...store,

    /** Newest first. */
    list: ({ showHiddenMetrics = false, tags }: MetricFilter, window: Window) =>
      store.listWhere([...filters.equal({ isHidden: showHiddenMetrics ? undefined : false }), ...filters.holding({ tags })], window),

    /** Those in use, of a name or a type if one is given. */
    listNamed({ name, type }: { name: string | undefined; type: Metric["type"] | undefined }, window: Window) {
      const ids = name === undefined ? [] : [Prisma.sql`id = any(${METRIC_TYPES.map((one) => metricID({ name, type: one }))}::text[])`];
      const ending = `::${type}`;
      const ofType = type === undefined ? [] : [Prisma.sql`right(id, ${ending.length}::int) = ${ending}`];
      return store.listWhere([...filters.equal({ isHidden: false }), ...ids, ...ofType], window);
    },

    /** Those in use that are computed from an event. */
    listOfEvent: (event: string, window: Window) =>
      store.listWhere([...filters.equal({ isHidden: false }), ...filters.holding({ events: [event] })], window),

    /** The ids of those in use that carry one of the tags, in their order. */
    async idsTagged(tags: readonly string[]): Promise<string[]> {
      if (tags.length === 0) return [];
      const rows = await deps.db.$queryRaw<{ id: string }[]>`
        select id from metric where "projectID" = ${deps.projectID} and not "isHidden" and tags && ${[...tags]}::text[] order by id`;
      return rows.map(({ id }) => id);
    },

    /** Those that exist, archived ones too. */
    async findAll(ids: readonly string[]): Promise<Metric[]> {
      const rows = await deps.db.$queryRaw<{ entity: string }[]>`
        select entity from metric where "projectID" = ${deps.projectID} and id = any(${[...ids]}::text[]) order by id`;
      return rows.map(({ entity }) => fromText<Metric>(entity));
    },

    /** @throws AppError conflict if something references it */
    requireUnreferenced: ({ id }: Metric) => references.requireUnreferenced("metric", [id], "archived"),

    /** @throws AppError conflict if it is permanent, no longer the version `metric`, or referenced */
    async delete(metric: Metric, options?: DeleteOptions): Promise<void> {
      requireNotPermanent(metric, "deleted");
      await store.delete(metric, options);
    },
  };
}
