import { makeAlert, makeCheckouts } from "../support/fixture-entities.ts";
import { makeFixture } from "../support/fixtures.ts";
import { fill, neededQuery, type SweptOperation } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import type { TestServer } from "../support/server.ts";

type Parameters = Record<string, string>;

const STAFF = { name: "Staff", passPercentage: 100, conditions: [{ type: "passes_gate" as const, targetValue: "" }] };

/** Makes an entity whose rules need a gate. */
const named =
  (create: (server: TestServer, rules: (typeof STAFF)[], gate: string) => Promise<unknown>) =>
  async (server: TestServer): Promise<Parameters> => {
    const name = `named ${++count}`;
    const { id } = (await server.client.createGate({ body: { name } })).data;
    await create(server, [{ ...STAFF, conditions: [{ type: "passes_gate", targetValue: id }] }], id);
    return { id };
  };
let count = 0;

const ofFixture = (path: string) => async (server: TestServer) => (await makeFixture(server, path))?.parameters ?? {};
const ofPurchases = async () => ({ eventName: "purchase" });

/** Makers of what lists contain whose own entity is not enough. They return the parameters of the list's path. */
const makers: Record<string, (server: TestServer) => Promise<Parameters>> = {
  listAlerts: async (server) => ({ id: await makeAlert(server, "Few checkouts") }),
  listEventMetrics: ofPurchases,
  listEventValues: ofPurchases,
  listExperimentPulseLoads: ofFixture("/console/v1/experiments/{id}/pulse_load_history/{dagID}"),
  listGateDynamicConfigReferences: named(({ client }, rules, gate) =>
    client.createDynamicConfig({ body: { name: `with ${gate}`, rules: rules.map((rule) => ({ ...rule, returnValue: {} })) } }),
  ),
  listGateExperimentReferences: named(({ client }, _, gate) =>
    client.createExperiment({ body: { name: `with ${gate}`, targetingGateID: gate } }),
  ),
  listGateGateReferences: named(({ client }, rules, gate) => client.createGate({ body: { name: `with ${gate}`, rules } })),
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

/** Lists without an item here, since a warehouse has to be read for one: test/warehouse/ingestion-reports.test.ts reads it. */
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
