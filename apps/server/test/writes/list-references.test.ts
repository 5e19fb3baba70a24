import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import type { ReferableType } from "../../src/console/reference.ts";
import { makeKey } from "../support/keys.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const list = async (type: string, id: string, { more = "", key = server.key } = {}) => {
  const { status, body } = await server.send("GET", `/console/v1/references?type=${type}&id=${encodeURIComponent(id)}${more}`, { key });
  expect(status).toBe(200);
  return body;
};
const condition = (type: "passes_gate" | "passes_segment" | "unit_id", given: object) => ({
  rules: [{ name: "r", passPercentage: 100, conditions: [{ type, ...given } as { type: "passes_gate" }] }],
});

type Found = { type: string; id: string; name: string | null; places: string[] };
/** Makes an entity of each type and one that references it. Returns the id of the first, and how the list shows the second. */
const MAKERS: Record<ReferableType, (server: TestServer) => Promise<[string, Found]>> = {
  async gate({ client }) {
    await client.createGate({ body: { name: "named" } });
    await client.createSegment({ body: { name: "Of Gate", type: "rule_based", ...condition("passes_gate", { targetValue: "named" }) } });
    return ["named", { type: "segment", id: "of_gate", name: "Of Gate", places: ["rules[0].conditions[0].targetValue"] }];
  },
  async segment({ client }) {
    await client.createSegment({ body: { name: "named_segment", type: "rule_based" } });
    await client.createGate({ body: { name: "Of Segment", ...condition("passes_segment", { targetValue: "named_segment" }) } });
    return ["named_segment", { type: "gate", id: "of_segment", name: "Of Segment", places: ["rules[0].conditions[0].targetValue"] }];
  },
  async dynamic_config({ client }) {
    await client.createDynamicConfig({ body: { name: "named_config" } });
    const parameters = [{ name: "p", ref_type: "dynamic_config" as const, param_type: "string" as const }];
    const given = { ...parameters[0], config_name: "named_config", param_name: "x" } as never;
    await client.createParamStore({ body: { name: "of_config", parameters: [given] } });
    return ["named_config", { type: "param_store", id: "of_config", name: "of_config", places: ["parameters[0].config_name"] }];
  },
  async experiment({ client }) {
    await client.createExperiment({ body: { name: "named_experiment" } });
    await client.createHoldout({ body: { name: "of_experiment", experimentIDs: ["named_experiment"] } });
    return ["named_experiment", { type: "holdout", id: "of_experiment", name: "of_experiment", places: ["experimentIDs[0]"] }];
  },
  async layer({ client }) {
    await client.createLayer({ body: { name: "named_layer", idType: "userID" } });
    await client.createExperiment({ body: { name: "of_layer", layerID: "named_layer" } });
    return ["named_layer", { type: "experiment", id: "of_layer", name: "of_layer", places: ["layerID"] }];
  },
  async holdout({ client }) {
    await client.createHoldout({ body: { name: "named_holdout" } });
    await client.createTeam({ body: { name: "Of Holdout", defaultHoldoutID: "named_holdout" } as never });
    const { id } = (await client.getTeam({ path: { id: "Of Holdout" } })).data;
    return ["named_holdout", { type: "team", id, name: "Of Holdout", places: ["defaultHoldoutID"] }];
  },
  async metric({ client }) {
    await client.createMetric({ body: { name: "Named metric", type: "event_user", metricEvents: [{ name: "purchase" }] } });
    const monitoringMetrics = [{ name: "Named metric", type: "event_user" }];
    await client.createGate({ body: { name: "of_metric", monitoringMetrics } });
    return ["Named metric::event_user", { type: "gate", id: "of_metric", name: "of_metric", places: ["monitoringMetrics[0]"] }];
  },
  async alert({ client }) {
    await client.createMetric({ body: { name: "alerted", type: "event_user", metricEvents: [{ name: "purchase" }] } });
    const metrics = { A: { id: "alerted::event_user" } };
    const bounds = { alertType: "threshold", condition: "less", alertThreshold: 1, windowMs: 300_000, priority: "P1" } as const;
    const { id } = (await client.createAlert({ body: { name: "Named alert", metrics, ...bounds } })).data;
    const phase = { name: "one", timeIntervalMs: 1, rules: [], requiredReview: false, guardrailAlerts: [id] };
    const { data } = await client.createReleasePipeline({ body: { name: "Guarded by Alert", phases: [phase] } });
    return [id, { type: "release_pipeline", id: data.id, name: "Guarded by Alert", places: ["phases[0].guardrailAlerts[0]"] }];
  },
  async assignment_source({ client }) {
    const columns = { timestampColumn: "at", experimentIDColumn: "experiment", groupIDColumn: "variant" };
    await client.createAssignmentSource({ body: { name: "named_source", sql: "select 1", ...columns, idTypeMapping: [] } });
    await client.createExperiment({ body: { name: "of_source", assignmentSourceName: "named_source" } });
    return ["named_source", { type: "experiment", id: "of_source", name: "of_source", places: ["assignmentSourceName"] }];
  },
  async entity_property_source({ client }) {
    await client.createEntityPropertySource({ body: { name: "named_strata", sql: "select 1", idTypeMapping: [] } });
    const entityPropertySource = { propertySourceName: "named_strata", column: "plan" };
    await client.createExperiment({ body: { name: "of_strata", stratifiedSampling: { status: "pending", entityPropertySource } } });
    const places = ["stratifiedSampling.entityPropertySource.propertySourceName"];
    return ["named_strata", { type: "experiment", id: "of_strata", name: "of_strata", places }];
  },
  async qualifying_event({ client }) {
    await client.createQualifyingEvent({ body: { name: "named_event", sql: "select 1", timestampColumn: "at", idTypeMapping: [] } });
    await client.createExperiment({ body: { name: "of_event", qualifyingEventName: "named_event" } });
    return ["named_event", { type: "experiment", id: "of_event", name: "of_event", places: ["qualifyingEventName"] }];
  },
  async metric_source({ client }) {
    await client.createMetricSource({ body: { name: "named_source", sql: "select 1", timestampColumn: "at", idTypeMapping: [] } });
    const warehouseNative = { aggregation: "count" as const, metricSourceName: "named_source" };
    await client.createMetric({ body: { name: "Of source", type: "user_warehouse", warehouseNative } });
    const id = "Of source::user_warehouse";
    return ["named_source", { type: "metric", id, name: "Of source", places: ["warehouseNative.metricSourceName"] }];
  },
  async prompt_dataset({ client }) {
    await client.createPromptDataset({ body: { name: "named_dataset" } });
    const evaluation = { datasetID: "named_dataset", graders: [{ name: "Same", type: "equals" as const }] };
    await client.createPrompt({ body: { name: "of_dataset", evaluation } });
    return ["named_dataset", { type: "prompt", id: "of_dataset", name: "of_dataset", places: ["evaluation.datasetID"] }];
  },
  async release_pipeline({ client }) {
    const phase = { name: "one", timeIntervalMs: 1, rules: [], requiredReview: false };
    const { id } = (await client.createReleasePipeline({ body: { name: "Named Pipeline", phases: [phase] } as never })).data;
    await client.createGate({ body: { name: "of_pipeline", releasePipelineID: id } });
    return [id, { type: "gate", id: "of_pipeline", name: "of_pipeline", places: ["releasePipelineID"] }];
  },
  async tag({ client }) {
    await client.createTag({ body: { name: "named tag" } });
    await client.createGate({ body: { name: "of_tag", tags: ["other", "named tag"] } });
    return ["named tag", { type: "gate", id: "of_tag", name: "of_tag", places: ["tags[1]"] }];
  },
  async target_app({ client }) {
    await client.createGate({ body: { name: "of_app", targetApps: ["named app"] } });
    return ["named app", { type: "gate", id: "of_app", name: "of_app", places: ["targetApps[0]"] }];
  },
  async team(given) {
    const teamID = await makeTeam(given);
    await given.client.createPrompt({ body: { name: "of_team", teamID } });
    return [teamID, { type: "prompt", id: "of_team", name: "of_team", places: ["teamID"] }];
  },
  async unit_id_type({ client }) {
    await client.createGate({ body: { name: "of_unit", idType: "vehicleID" } });
    return ["vehicleID", { type: "gate", id: "of_unit", name: "of_unit", places: ["idType"] }];
  },
  async role(given) {
    await given.client.createRole({ body: { name: "Named Role", permissions: { read: true } } });
    const { id } = await makeKey(given, { type: "CONSOLE", scopes: ["omni_read_only"], role: "Named Role" });
    return ["Named Role", { type: "key", id, name: null, places: ["role"] }];
  },
  async environment(given) {
    const { id } = await makeKey(given, { environments: ["staging"] });
    return ["staging", { type: "key", id, name: null, places: ["environments[0]"] }];
  },
};

test("every type that can be referenced is in the contract, and no other", async () => {
  const types = entitySlices.flatMap(({ kind }) => (kind.named ? [kind.named.as] : [])).sort();
  expect(Object.keys(MAKERS).sort()).toEqual(types);
  const { body } = await server.send("GET", "/console/v1/references?type=nothing&id=x");
  expect(body.errors).toEqual([{ property: "type", errorMessage: `must be equal to one of the allowed values: ${types.join(", ")}` }]);
});

describe("listReferences", () => {
  test.each(Object.keys(MAKERS) as ReferableType[])("finds what references an entity of type %s, and where", async (type) => {
    const [id, found] = await MAKERS[type](server);
    const { message, data, pagination } = await list(type, id);
    expect([message, data, pagination.totalItems]).toEqual(["References listed successfully.", [found], 1]);
  });

  test("finds a tag by its id and by its name, in entities that have either", async () => {
    const { data: tag } = await server.client.createTag({ body: { name: "either" } });
    for (const [name, given] of Object.entries({ by_name: "either", by_id: tag.id })) {
      server.clock.now += 1;
      await server.client.createGate({ body: { name, tags: [given] } });
    }
    for (const asked of ["either", tag.id]) expect((await list("tag", asked)).data.map(({ id }: any) => id)).toEqual(["by_id", "by_name"]);
  });

  test("has overrides by the id of what they override", async () => {
    const { client } = server;
    await client.createGate({ body: { name: "in_overrides" } });
    await client.createExperiment({
      body: {
        name: "overridden",
        groups: [
          { id: "a", name: "A", size: 50 },
          { id: "b", name: "B", size: 50 },
        ],
      },
    });
    const overrides = [{ type: "gate" as const, id: "in_overrides", groupID: "a" }];
    await client.updateExperimentOverrides({ path: { id: "overridden" }, body: { overrides, userIDOverrides: [] } });
    expect((await list("gate", "in_overrides")).data).toEqual([
      { type: "experiment_overrides", id: "overridden", name: null, places: ["overrides[0].id"] },
    ]);
  });

  test("sorts by type and then newest first, in pages", async () => {
    const { client, clock } = server;
    await client.createGate({ body: { name: "paged" } });
    for (const name of ["paged_a", "paged_b", "paged_c"]) {
      clock.now += 1;
      await client.createGate({ body: { name, ...condition("passes_gate", { targetValue: "paged" }) } });
    }
    await client.createDynamicConfig({ body: { name: "paged_config", ...condition("passes_gate", { targetValue: "paged" }) } as never });
    const { data, pagination } = await list("gate", "paged", { more: "&limit=2" });
    expect(data.map(({ id }: any) => id)).toEqual(["paged_config", "paged_c"]);
    expect(pagination).toMatchObject({ totalItems: 4, nextPage: "/console/v1/references?type=gate&id=paged&page=2&limit=2" });
    const second = await server.send("GET", pagination.nextPage);
    expect(second.body.data.map(({ id }: any) => id)).toEqual(["paged_b", "paged_a"]);
  });

  test("has at most 10 places of an entity, and no archived entities", async () => {
    const { client } = server;
    await client.createGate({ body: { name: "often" } });
    const conditions = Array.from({ length: 11 }, () => ({ type: "passes_gate" as const, targetValue: "often" }));
    await client.createGate({ body: { name: "naming_often", rules: [{ name: "r", passPercentage: 1, conditions }] } });
    expect((await list("gate", "often")).data[0].places).toHaveLength(10);
    await client.archiveGate({ path: { id: "naming_often" }, body: { archiveReason: "tested" } });
    expect((await list("gate", "often")).data).toEqual([]);
  });

  test("shows keys only to who may read keys, in the list and in its total", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const { data, pagination } = await list("environment", "staging", { key });
    expect([data, pagination.totalItems]).toEqual([[], 0]);
    expect((await list("environment", "staging")).pagination.totalItems).toBe(1);
  });

  test("is empty for an entity of another project with the same id", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "of one project" } });
    const rule = { name: "r", passPercentage: 100, conditions: [{ type: "passes_gate" as const, targetValue: gate.id }] };
    await server.client.createGate({ body: { name: "refers in one project", rules: [rule] } });
    const other = createConsoleClient({ baseUrl: server.url, apiKey: await makeOtherProject(server), retry: { attempts: 1 } });
    await other.createGate({ body: { name: "of one project" } });
    const query = { type: "gate" as const, id: gate.id };
    expect((await server.client.listReferences({ query })).data.map(({ id }) => id)).toEqual(["refers_in_one_project"]);
    expect((await other.listReferences({ query })).data).toEqual([]);
  });

  test("is empty for an id that does not exist", async () => {
    expect((await list("gate", "absent")).data).toEqual([]);
  });
});
