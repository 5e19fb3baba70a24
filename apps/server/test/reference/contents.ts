import { makeAlert, makeCheckouts } from "../support/fixture-entities.ts";
import { makeFixture } from "../support/fixtures.ts";
import { fill, neededQuery, type SweptOperation } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import type { TestServer } from "../support/server.ts";

type Parameters = Record<string, string>;

/** The rules that gates and dynamic configs have for users who pass a gate. */
const rulesFor = (gate: string) => [
  { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_gate" as const, targetValue: gate }] },
];

/** Makes a gate, and an entity that references it. */
const referenced =
  (create: (server: TestServer, gate: string) => Promise<unknown>) =>
  async (server: TestServer): Promise<Parameters> => {
    const { id } = (await server.client.createGate({ body: { name: `referenced ${++count}` } })).data;
    await create(server, id);
    return { id };
  };
let count = 0;

const ofFixture = (path: string) => async (server: TestServer) => (await makeFixture(server, path))?.parameters ?? {};
const ofPurchases = async () => ({ eventName: "purchase" });

/** Makers of the items of lists that the contract's examples leave empty. They return the parameters of the list's path. */
const makers: Record<string, (server: TestServer) => Promise<Parameters>> = {
  listAlerts: async (server) => ({ id: await makeAlert(server, "Few checkouts") }),
  listEventMetrics: ofPurchases,
  listEventValues: ofPurchases,
  listExperimentPulseLoads: ofFixture("/console/v1/experiments/{id}/pulse_load_history/{dagID}"),
  listGateDynamicConfigReferences: referenced(({ client }, gate) =>
    client.createDynamicConfig({ body: { name: `with ${gate}`, rules: rulesFor(gate).map((rule) => ({ ...rule, returnValue: {} })) } }),
  ),
  listGateExperimentReferences: referenced(({ client }, gate) =>
    client.createExperiment({ body: { name: `with ${gate}`, targetingGateID: gate } }),
  ),
  listGateGateReferences: referenced(({ client }, gate) => client.createGate({ body: { name: `with ${gate}`, rules: rulesFor(gate) } })),
  listGatePulseLoads: ofFixture("/console/v1/gates/{id}/rules/{ruleID}/pulse_load_history/{dagID}"),
  listLayerExperiments: ofFixture("/console/v1/layers/{id}/overrides"),
  listMetricExperiments: ofFixture("/console/v1/metrics/{id}/reload"),
  async listMetricSourceMetrics({ client }) {
    const idTypeMapping = [{ serviceUnitID: "userID", column: "customer_id" }];
    const source = { name: "orders", sql: "select 1", timestampColumn: "created_at", idTypeMapping };
    await client.createMetricSource({ body: source });
    await client.createMetric({
      body: { name: "Orders", type: "user_warehouse", warehouseNative: { aggregation: "count", metricSourceName: "orders" } },
    });
    return { name: "orders" };
  },
};

/** Lists that stay empty here, since their items come from a warehouse (see test/warehouse/ingestion-reports.test.ts). */
export const EMPTY_LISTS = ["listIngestionEventCounts", "listIngestionEventDeltas", "listIngestionStatuses"];

/** Creates the metric and the events that lists of events and of values contain. */
export async function makeEvents({ client, evaluation, clock }: TestServer): Promise<void> {
  await makeCheckouts(client);
  await evaluation.logEvent({ body: { events: [{ eventName: "purchase", user: { userID: "ana" }, time: clock.now }] } });
}

/** Calls an operation with the contract's example, on entities of its own. */
export async function callOperation(server: TestServer, operation: SweptOperation) {
  const make = makers[operation.operationId];
  if (!make) return (await prepare(server, operation)).send();
  const { method, path } = operation;
  return server.send(method, `${fill(path, await make(server))}?${neededQuery(operation)}`);
}
