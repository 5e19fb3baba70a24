import { notFound } from "../../common/errors.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { type DeleteOptions, entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import { createReferences } from "../../store/entities/references.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME, BY_OWNER } from "../common/listed.ts";
import { type MetricName, metricID } from "../common/named.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { isAutomaticType, refuseWrite } from "./automatic-metric.ts";
import { automaticMetrics } from "./automatic-metric-store.ts";
import { type Metric, namedByMetric, requireNotPermanent } from "./metric.ts";
import { METRIC_TYPES } from "./metric-checks.ts";
import { needsOfMetric } from "./metric-needs.ts";

type MetricFilter = { showHiddenMetrics?: boolean; automatic?: boolean; tags?: string[]; teamID?: string; ownerID?: string };

export const metricKind: NamedKind<"metric", Metric> = {
  table: "metric",
  type: "metric",
  getID: (metric) => metric.id,
  references: namedByMetric,
  isArchived: ({ isHidden }) => isHidden,
  columns: {
    ...BY_OWNER,
    isHidden: (metric) => metric.isHidden,
    tags: (metric) => metric.tags,
    events: (metric) => metric.lineage.events,
    caselessName: { unlisted: (metric) => metric.id.toLowerCase() },
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
  const automatic = automaticMetrics(deps);

  /** Returns existing metrics, archived and automatic ones included. */
  async function findAll(ids: readonly string[]): Promise<Metric[]> {
    const [rows, found] = await Promise.all([
      deps.db.$queryRaw<{ entity: string }[]>`
        select entity from metric where "projectID" = ${deps.projectID} and id = any(${[...ids]}::text[]) order by id`,
      automatic.findAll(ids),
    ]);
    return [...rows.map(({ entity }) => fromText<Metric>(entity)), ...found];
  }

  return {
    ...store,
    findAll,

    /** To be written. @throws AppError not_found, or conflict if it is automatic */
    async get(id: string, options?: { lock?: boolean }): Promise<Metric> {
      const metric = await store.find(id, options);
      if (metric) return metric;
      if ((await automatic.findAll([id])).length > 0) refuseWrite(id);
      throw notFound("Metric", id);
    },

    /** Reads a metric, including automatic ones. @throws AppError not_found */
    async read(id: string): Promise<Metric> {
      const [metric] = await findAll([id]);
      if (!metric) throw notFound("Metric", id);
      return metric;
    },

    /** Whether metrics exist and are in use. Locks them against deletion until the transaction ends. Automatic ones can't be deleted. */
    async lockStates(ids: readonly string[]): Promise<Map<string, "is there" | "is archived">> {
      const sorted = [...ids].sort();
      const rows = await deps.db.$queryRaw<{ id: string; isHidden: boolean }[]>`
        select id, "isHidden" from metric where "projectID" = ${deps.projectID} and id = any(${sorted}::text[]) order by id for key share`;
      const found = await automatic.findAll(ids);
      return new Map([...found, ...rows].map(({ id, isHidden }) => [id, isHidden ? "is archived" : "is there"]));
    },

    /** Newest first. */
    list({ showHiddenMetrics = false, automatic: isAutomatic = false, tags = [], ...columns }: MetricFilter, window: Window) {
      const isLabeled = tags.length > 0 || columns.teamID !== undefined || columns.ownerID !== undefined;
      if (isAutomatic) return isLabeled ? { data: [], total: 0 } : automatic.list({}, window);
      const isHidden = showHiddenMetrics ? undefined : false;
      return store.listWhere([...filters.equal({ ...columns, isHidden }), ...filters.holding({ tags })], window);
    },

    /** Metrics in use, of a name or a type if one is given. Automatic ones only of their type. */
    listNamed({ name, type }: { name: string | undefined; type: Metric["type"] | undefined }, window: Window) {
      if (type !== undefined && isAutomaticType(type)) return automatic.list({ name, type }, window);
      const ids = name === undefined ? [] : [Prisma.sql`id = any(${METRIC_TYPES.map((one) => metricID({ name, type: one }))}::text[])`];
      const ending = `::${type}`;
      const ofType = type === undefined ? [] : [Prisma.sql`right(id, ${ending.length}::int) = ${ending}`];
      return store.listWhere([...filters.equal({ isHidden: false }), ...ids, ...ofType], window);
    },

    /** Metrics in use that are computed from an event. The first is the one that counts it, if it was logged. */
    async listOfEvent(event: string, { skip, take, ...window }: Window) {
      const counts = await automatic.findAll([metricID({ name: event, type: "event_count" })]);
      const first = counts.slice(skip, skip + take);
      const rest = { ...window, skip: Math.max(0, skip - counts.length), take: take - first.length };
      const { data, total } = await store.listWhere([...filters.equal({ isHidden: false }), ...filters.holding({ events: [event] })], rest);
      return { data: [...first, ...data], total: counts.length + total };
    },

    /** The ids of metrics in use with one of the tags, in their order. */
    async idsTagged(tags: readonly string[]): Promise<string[]> {
      if (tags.length === 0) return [];
      const rows = await deps.db.$queryRaw<{ id: string }[]>`
        select id from metric where "projectID" = ${deps.projectID} and not "isHidden" and tags && ${[...tags]}::text[] order by id`;
      return rows.map(({ id }) => id);
    },

    /** The name of a metric for people, with its type if another metric has the same name. The metric need not exist. */
    async callByName({ name, type }: MetricName): Promise<string> {
      const ids = METRIC_TYPES.filter((one) => one !== type).map((one) => metricID({ name, type: one }));
      const [other] = await deps.db.$queryRaw<unknown[]>`
        select from metric where "projectID" = ${deps.projectID} and id = any(${ids}::text[]) limit 1`;
      return other === undefined ? name : `${name} (${type})`;
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
