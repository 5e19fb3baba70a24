import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import type { MetricSource } from "./metric-source.ts";

export function createMetricSourceStore({ db, projectID, log }: StoreContext) {
  const subject = (name: string) => ({ table: "metric_source", key: { projectID, name }, type: "metric_source", id: name }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<{ metricSources: MetricSource[]; total: number }> {
      const where = { projectID };
      const [rows, total] = await Promise.all([
        db.metricSource.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { name: "asc" }], select: { entity: true } }),
        db.metricSource.count({ where }),
      ]);
      return { metricSources: rows.map(toMetricSource), total };
    },

    /** @throws AppError not_found */
    async get(name: string): Promise<MetricSource> {
      const row = await db.metricSource.findUnique({ where: { projectID_name: { projectID, name } }, select: { entity: true } });
      if (!row) throw notFound("Metric source", name);
      return toMetricSource(row);
    },

    create: (source: MetricSource) => log.create(subject(source.name), source, toColumns(source)),
    replace: (before: MetricSource, after: MetricSource) => log.replace(subject(before.name), before, after, toColumns(after)),
    delete: (source: MetricSource) => log.delete(subject(source.name), source),
  };
}

function toMetricSource({ entity }: { entity: string }): MetricSource {
  return fromText(entity);
}

function toColumns(source: MetricSource) {
  return { version: source.version, createdTime: source.createdTime, entity: toText(source) };
}
