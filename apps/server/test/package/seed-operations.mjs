// Runs in a folder with the installed client: calls the operations of the console API that the project began with, and prints their results as JSON.
import { createConsoleClient } from "@gatehouse/client";

const client = createConsoleClient({ baseUrl: process.env.GATEHOUSE_URL, apiKey: process.env.GATEHOUSE_KEY });
const results = [];
/** Keeps a part of the result of an operation. */
async function call(operationId, request, pick) {
  const answer = await client[operationId](request);
  results.push([operationId, answer.message, pick(answer.data)]);
}
const ids = (list) => list.map(({ id, name }) => id ?? name);
const everyone = { name: "Everyone", passPercentage: 100, conditions: [] };
const gate = { path: { id: "packed" } };

await client.createGate({ body: { name: "packed" } });
await client.archiveGate(gate);
await call("unarchiveGate", { ...gate, body: { unarchiveReason: "Used again." } }, ({ status }) => status);
await call("updateGate", { ...gate, body: { isEnabled: true, description: "Packed.", rules: [everyone] } }, ({ description, rules }) => [
  description,
  rules[0].environments,
]);
const onGate = { ...everyone, conditions: [{ type: "passes_gate", targetValue: "packed" }], returnValue: {} };
await client.createDynamicConfig({ body: { name: "packed_config", rules: [onGate] } });
await call("listGateDynamicConfigReferences", gate, ids);
await call("listDynamicConfigs", { query: { limit: 1, page: 1 } }, ids);
const config = { path: { id: "packed_config" } };
await client.archiveDynamicConfig(config);
await call("unarchiveDynamicConfig", { ...config, body: { unarchiveReason: "Used again." } }, ({ id }) => id);
await client.createExperiment({ body: { name: "packed experiment" } });
await call("listExperimentVersions", { path: { id: "packed_experiment" } }, (versions) => versions.length);
await call("createLayer", { body: { name: "Packed layer", idType: "userID" } }, ({ id }) => id);
await call("listLayers", undefined, ids);
const overrides = { op: "add", conditionalOverrides: [], idOverrides: [] };
await call("patchLayerOverrides", { path: { id: "packed_layer" }, body: overrides }, (data) => data.idOverrides);
await call("createSegment", { body: { name: "packed segment", type: "rule_based" } }, ({ type }) => type);
const { environments } = (await client.getEnvironments()).data;
await call("updateEnvironments", { body: { environments } }, (data) =>
  data.environments.map(({ name, isProduction }) => [name, isProduction]),
);
await client.createTeam({ body: { name: "Packers" } });
await call("listTeams", undefined, (teams) => teams.map(({ name }) => name));
const source = { sql: "select * from orders", timestampColumn: "at", idTypeMapping: [{ statsigUnitID: "userID", column: "user_id" }] };
await client.createMetricSource({ body: { name: "orders", ...source } });
await call(
  "updateMetricSource",
  { path: { name: "orders" }, body: { ...source, description: "Orders." } },
  ({ description }) => description,
);
await call("listReleasePipelines", undefined, ids);
await client.createParamStore({ body: { name: "packed_store", parameters: [] } });
const parameters = [{ ref_type: "static", name: "color", param_type: "string", value: "red" }];
await call("updateParamStore", { path: { name: "packed_store" }, body: { parameters } }, (data) => data.parameters.length);
await call("listParamStores", undefined, ids);
await call("createPrompt", { body: { name: "packed prompt" } }, ({ id }) => id);
await call("listEventValues", { path: { eventName: "purchase" }, query: { limit: 5 } }, (data) => data.length);
process.stdout.write(JSON.stringify(results));
