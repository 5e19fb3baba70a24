import { entityStore, type Kind } from "../../store/entity-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { type MetricSource, namedByMetricSource } from "./metric-source.ts";

const kind: Kind<MetricSource> = {
  table: "metric_source",
  type: "metric_source",
  idColumn: "name",
  idOf: ({ name }) => name,
  references: namedByMetricSource,
  columns: () => ({}),
};

export function createMetricSourceStore(context: StoreContext) {
  return entityStore(context, kind);
}
