import type { Handlers } from "@gatehouse/contract";
import type { operations, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { paginate, pickFilters, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import type { AnalysisEnv, Stores } from "../stores.ts";
import { previewed } from "../warehouse/rows-preview.ts";
import { namedColumns } from "./ingestion-columns.ts";
import { requireAddress } from "./ingestion-input.ts";
import { changeIngestionSource, describeOrigin, type IngestionSource, newIngestionSource, toOrigin } from "./ingestion-source.ts";

export const ingestionSourceHandlers = {
  listIngestionSourceVersions: listVersions("listIngestionSourceVersions", "Ingestion source", (stores) => stores.ingestion),
  restoreIngestionSourceVersion: restoreVersion("Ingestion source", (stores) => stores.ingestion),

  async listIngestionSources({ query, stores }) {
    const { data, total } = await stores.ingestion.list(pickFilters(query), toWindow(query));
    const pagination = paginate("/console/v1/ingestion/sources", query, total);
    return { status: 200, body: { message: "Ingestion sources listed successfully.", data, pagination } };
  },

  async createIngestionSource({ body, context, stores }) {
    const { type } = await stores.warehouse.get();
    const data = await stores.ingestion.create(newIngestionSource(body, type, context));
    return { status: 200, body: { message: "Ingestion source created successfully.", data } };
  },

  async getIngestion({ query, stores }) {
    return read(await stores.ingestion.getByAddress(query));
  },

  async getIngestionSource({ path, stores }) {
    return read(await stores.ingestion.get(path.name));
  },

  async patchIngestion({ body: { type, dataset, source_name, ...given }, context, stores }) {
    return change(await stores.ingestion.getByAddress({ ...requireAddress({ type, dataset }), source_name }), given, context, stores);
  },

  async patchIngestionSource({ path, body, context, stores }) {
    return change(await stores.ingestion.get(path.name), body, context, stores);
  },

  async deleteIngestion({ query, stores }) {
    return remove(await stores.ingestion.getByAddress(query), stores);
  },

  async deleteIngestionSource({ path, stores }) {
    return remove(await stores.ingestion.get(path.name), stores);
  },

  async previewIngestionSource({ body: { column_mapping = {}, ...given }, ...env }) {
    const violations: Violation[] = [];
    const origin = describeOrigin(toOrigin(given, violations));
    if (violations.length > 0) throw invalid(violations);
    const places = { query: "query", table: "table" };
    const data = await previewed({ origin, places, formulas: [], columns: namedColumns(column_mapping) }, env);
    return { status: 200, body: { message: "Ingestion source previewed successfully.", data } };
  },
} satisfies Partial<Handlers<operations, AnalysisEnv>>;

function read(data: IngestionSource) {
  return { status: 200 as const, body: { message: "Ingestion source read successfully.", data } };
}

async function change(source: IngestionSource, given: WritableSchema<"IngestionSourcePatch">, context: Context, stores: Stores) {
  const { type } = await stores.warehouse.get();
  const data = await stores.ingestion.replace(source, changeIngestionSource(source, given, type, context));
  return { status: 200 as const, body: { message: "Ingestion source updated successfully.", data } };
}

async function remove(data: IngestionSource, stores: Stores) {
  await stores.ingestion.delete(data);
  // Existing clients know this text.
  return { status: 200 as const, body: { message: "Ingestion deleted successfully.", data } };
}
