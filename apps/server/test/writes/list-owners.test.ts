import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTINGS } from "../support/autotunes.ts";
import { ALERT, makeCheckouts } from "../support/fixture-entities.ts";
import { makeKey } from "../support/keys.ts";
import { operations } from "../support/operations.ts";
import { patchableKinds, tableSourceKinds } from "../support/row-source-kinds.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
const teams: string[] = [];
beforeAll(async () => {
  server = await startServer();
  for (const name of ["Payments", "Search"]) teams.push((await server.client.createTeam({ body: { name } })).data.id);
  await makeCheckouts(server.client);
  await server.client.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader@warehouse.example.com/shop" } } });
});
afterAll(() => server.close());

const METRIC = { type: "event_user", metricEvents: [{ name: "purchase" }] };
const ROWS = tableSourceKinds[0]?.required ?? {};
const [ASSIGNMENTS, PROPERTIES] = patchableKinds.map(({ required }) => required);

const EVENTS = {
  type: "postgres",
  dataset: "Events",
  table: "event",
  column_mapping: { event_name: "name", timestamp: "time", unit_id: "user" },
};

/** Each list with a filter of teams: its operation, the path that creates an entity, and the entity. */
const LISTS: Record<string, [path: string, body: object, list?: string]> = {
  listGates: ["gates", {}],
  listDynamicConfigs: ["dynamic_configs", {}],
  listExperiments: ["experiments", {}],
  listAutotunes: ["autotunes", SETTINGS],
  listLayers: ["layers", { idType: "userID" }],
  listSegments: ["segments", { type: "id_list" }],
  listHoldouts: ["holdouts", {}],
  listParamStores: ["param_stores", {}],
  listPrompts: ["prompts", {}],
  listPromptDatasets: ["prompt_datasets", {}],
  listDashboards: ["dashboards", {}],
  listMetrics: ["metrics", METRIC, "metrics/list"],
  listAlerts: ["alerts", ALERT],
  listMetricSources: ["metrics/metric_source", ROWS, "metrics/metric_source/list"],
  listQualifyingEvents: ["experiments/qualifying_events", ROWS],
  listAssignmentSources: ["experiments/assignment_sources", ASSIGNMENTS ?? {}],
  listEntityPropertySources: ["experiments/entity_properties", PROPERTIES ?? {}],
  listReleasePipelines: ["release_pipelines", {}],
  listIngestionSources: ["ingestion", EVENTS, "ingestion/sources"],
};
const hasFilter = (operationId: string, filter: string) =>
  operations.some((one) => one.operationId === operationId && one.parameters.some(({ name }) => name === filter));

test("every list with a filter of teams or owners is tested here", () => {
  const filtered = operations.filter(({ operationId }) => hasFilter(operationId, "teamID") || hasFilter(operationId, "ownerID"));
  const others = ["listMetricExperiments", "getExperimentPortfolio"];
  expect(filtered.map(({ operationId }) => operationId).sort()).toEqual([...Object.keys(LISTS), ...others].sort());
});

describe.each(Object.entries(LISTS))("%s", (operationId, [path, body, list = path]) => {
  const nouns = path.replaceAll("/", " ");
  const owner = (ownerID: string) => ({ owner: { ownerID, ownerType: "USER", ownerName: "A person" } });
  const nameField = path === "ingestion" ? "source_name" : "name";
  const create = async (name: string, given: object) => {
    const { body: made, status } = await server.send("POST", `/console/v1/${path}`, { body: { ...body, [nameField]: name, ...given } });
    expect([status >= 200 && status < 300, made.errors]).toEqual([true, undefined]);
  };
  const find = async (query: string) => {
    const { body: found } = await server.send("GET", `/console/v1/${list}?${query}`);
    return found.data.map(({ id, name = id }: { id: string; name?: string }) => name);
  };

  test("finds the entities of a team, of an owner and of both", async () => {
    await create(`${nouns} of both`, { teamID: teams[0], ...owner("ada") });
    await create(`${nouns} of another`, { teamID: teams[1], ...owner("Ada") });
    await create(`${nouns} of none`, {});
    expect(await find(`teamID=${teams[0]}`)).toEqual([`${nouns} of both`]);
    expect(await find(`teamID=${teams[1]}`)).toEqual([`${nouns} of another`]);
    expect(await find("teamID=unknown")).toEqual([]);
    if (hasFilter(operationId, "tags")) {
      await server.client.createTag({ body: { name: `tag of ${nouns}` } });
      await create(`${nouns} with a tag`, { tags: [`tag of ${nouns}`] });
      expect(await find(`tags=${encodeURIComponent(`tag of ${nouns}`)}`)).toEqual([`${nouns} with a tag`]);
    }
    expect(await find("ownerID=ada")).toEqual([`${nouns} of both`]);
    expect(await find(`ownerID=ada&teamID=${teams[1]}`)).toEqual([]);
  });
});

describe("owners", () => {
  const ada = { ownerID: "usr_ada", ownerType: "USER", ownerName: "Ada Byron", ownerEmail: "ada@example.com" } as const;
  const bob = { ownerID: "usr_bob", ownerType: "USER", ownerName: "Bob" } as const;

  test("of a gate change, end and come back with its version", async () => {
    const { client } = server;
    const path = { id: "owned_gate" };
    const owned = async (ownerID: string) => (await client.listGates({ query: { ownerID } })).data.map(({ id }) => id);
    expect((await client.createGate({ body: { name: "Owned gate", owner: ada } })).data.owner).toEqual(ada);
    await client.patchGate({ path, body: { owner: bob } });
    expect([await owned("usr_ada"), await owned("usr_bob")]).toEqual([[], ["owned_gate"]]);
    await client.patchGate({ path, body: { owner: null } });
    expect([await owned("usr_bob"), (await client.getGate({ path })).data.owner]).toEqual([[], null]);
    await client.restoreGateVersion({ path: { ...path, version: 1 } });
    expect([await owned("usr_ada"), (await client.getGate({ path })).data.owner]).toEqual([["owned_gate"], ada]);
  });

  test("of an experiment change and end", async () => {
    const { client } = server;
    const path = { id: "owned_experiment" };
    const owned = async (ownerID: string) => (await client.listExperiments({ query: { ownerID } })).data.map(({ id }) => id);
    expect((await client.createExperiment({ body: { name: "Owned experiment", owner: ada } })).data.owner).toEqual(ada);
    await client.patchExperiment({ path, body: { owner: bob } });
    expect([await owned("usr_ada"), await owned("usr_bob")]).toEqual([[], ["owned_experiment"]]);
    await client.patchExperiment({ path, body: { owner: null } });
    expect(await owned("usr_bob")).toEqual([]);
  });

  test("of an ingestion source change, end and come back with its version, beside its team", async () => {
    const { client } = server;
    const { data: team } = await client.createTeam({ body: { name: "Data" } });
    const path = { name: "owned_events" };
    const labels = async () => {
      const { data } = await client.getIngestionSource({ path });
      return [data.owner, data.team, data.teamID];
    };
    const created = {
      ...EVENTS,
      type: "postgres",
      dataset: "Events",
      source_name: path.name,
      owner: ada,
      team: team.name,
      teamID: team.id,
    } as const;
    await client.createIngestionSource({ body: created });
    await client.patchIngestionSource({ path, body: { owner: bob, enabled: false } });
    expect(await labels()).toEqual([bob, "Data", team.id]);
    await client.patchIngestionSource({ path, body: { owner: null, team: null, teamID: null } });
    expect(await labels()).toEqual([null, null, null]);
    await client.restoreIngestionSourceVersion({ path: { ...path, version: 1 } });
    expect(await labels()).toEqual([ada, "Data", team.id]);
    const refused = await refusal(client.deleteTeam({ path: { id: team.id } }));
    expect([refused.status, refused.message]).toEqual([409, expect.stringContaining("owned_events")]);
  });

  test("of a release pipeline change, and only members of its closed team write it, whose new name it gets", async () => {
    const { client } = server;
    const { data: team } = await client.createTeam({ body: { name: "Release managers", changeTeamConfigs: "team_only" } });
    const { data } = await client.createReleasePipeline({ body: { name: "Owned pipeline", owner: ada, team: team.name, teamID: team.id } });
    const path = { id: data.id };
    await client.createRole({ body: { name: "Release manager", permissions: { create_release_pipelines: true } } });
    const key = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_write"], role: "Release manager" });
    const change = { body: { owner: bob }, key: key.key };
    const refused = await server.send("POST", `/console/v1/release_pipelines/${data.id}`, change);
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("membership of the team Release managers")]);
    expect((await client.updateReleasePipeline({ path, body: { owner: bob } })).data).toMatchObject({ owner: bob, teamID: team.id });
    await client.patchTeam({ path: { id: team.id }, body: { name: "Pipelines" } });
    expect((await client.getReleasePipeline({ path })).data).toMatchObject({ team: "Pipelines", owner: bob, version: 3 });
  });
});
