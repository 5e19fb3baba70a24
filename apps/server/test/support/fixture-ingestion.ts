import { type Fixture, ownProject } from "./fixture-entities.ts";
import type { TestServer } from "./server.ts";

const EVENTS = { type: "postgres", dataset: "Events" } as const;
const OF_EVENTS = { event_name: "name", timestamp: "at", unit_id: "customer" };
const EXPOSURES = { type: "postgres", dataset: "Exposures" } as const;
const OF_EXPOSURES = { experiment: "experiment", group_id: "variant", timestamp: "at", unit_id: "customer" };

/** Connects a warehouse that no test reads. */
export async function connectWarehouse({ client }: TestServer): Promise<void> {
  const { data } = await client.getWarehouseConnection({});
  if (data.type === null)
    await client.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader@warehouse.example.com/shop" } } });
}

/** A source of exposures, so that there is one of events. */
async function makeSource(server: TestServer, name: string): Promise<Fixture> {
  await connectWarehouse(server);
  await server.client.createIngestionSource({ body: { ...EXPOSURES, source_name: name, query: "select 1", column_mapping: OF_EXPOSURES } });
  return { parameters: { name }, table: "ingestion_source", key: { id: name } };
}

/** The source that the contract's examples name, and no other one of events. */
async function makeOnlySource(server: TestServer): Promise<Fixture> {
  await connectWarehouse(server);
  const source_name = "shop_events";
  const { data } = await server.client.listIngestionSources({ query: { limit: 1_000 } });
  const ofEvents = data.filter((source) => source.data.dataset === "Events");
  for (const { id } of ofEvents) await server.client.deleteIngestionSource({ path: { name: id } });
  await server.client.createIngestionSource({ body: { ...EVENTS, source_name, query: "select 1", column_mapping: OF_EVENTS } });
  return { parameters: {}, table: "ingestion_source", key: { id: source_name } };
}

/** The same, in a project where no run waits. */
async function makeIdleSource(server: TestServer): Promise<Fixture> {
  const source = await makeOnlySource(server);
  await server.database.prisma.$executeRaw`delete from ingestion_run where "projectID" = ${await ownProject(server)}`;
  return source;
}

/** Makers of the entities that the paths of ingestion address. */
export const ingestionMakers: Record<string, (server: TestServer, name: string) => Promise<Fixture>> = {
  "/console/v1/ingestion": makeOnlySource,
  "/console/v1/ingestion/backfill": makeIdleSource,
  "/console/v1/ingestion/runs/{id}": async (server) => {
    await makeIdleSource(server);
    const days = { datestamp_start: "2025-11-20", datestamp_end: "2025-11-20" };
    const { runID } = (await server.client.startIngestionBackfill({ body: { ...EVENTS, ...days } })).data;
    return { parameters: { id: runID }, table: "ingestion_run", key: { id: runID } };
  },
  "/console/v1/ingestion/schedule": async ({ client }) => {
    await client.updateIngestionSchedule({ body: { dataset: "Exposures" } });
    return { parameters: {}, table: "ingestion_schedule", key: { projectID: "default" } };
  },
  "/console/v1/ingestion/sources/{name}": makeSource,
};
