import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTINGS } from "../support/autotunes.ts";
import { makeCheckouts } from "../support/fixture-entities.ts";
import { operations } from "../support/operations.ts";
import { patchableKinds, tableSourceKinds } from "../support/row-source-kinds.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
const teams: string[] = [];
beforeAll(async () => {
  server = await startServer();
  for (const name of ["Payments", "Search"]) teams.push((await server.client.createTeam({ body: { name } })).data.id);
  await makeCheckouts(server.client);
});
afterAll(() => server.close());

const ALERT = {
  ...{ alertType: "threshold", metrics: { A: { id: "Checkouts::event_user" } }, condition: "greater" },
  ...{ alertThreshold: 1, windowMs: 300_000, priority: "P3" },
};
const METRIC = { type: "event_user", metricEvents: [{ name: "purchase" }] };
const ROWS = tableSourceKinds[0]?.required ?? {};
const [ASSIGNMENTS, PROPERTIES] = patchableKinds.map(({ required }) => required);

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
};
const hasFilter = (operationId: string, filter: string) =>
  operations.some((one) => one.operationId === operationId && one.parameters.some(({ name }) => name === filter));

test("every list with a filter of teams or owners is tested here", () => {
  const filtered = operations.filter(({ operationId }) => hasFilter(operationId, "teamID") || hasFilter(operationId, "ownerID"));
  const others = ["listMetricExperiments", "getExperimentPortfolio"];
  expect(filtered.map(({ operationId }) => operationId).sort()).toEqual([...Object.keys(LISTS), ...others].sort());
});

describe.each(Object.entries(LISTS))("%s", (operationId, [path, body, list = path]) => {
  const isOwned = hasFilter(operationId, "ownerID");
  const nouns = path.replaceAll("/", " ");
  const owner = (ownerID: string) => (isOwned ? { owner: { ownerID, ownerType: "USER", ownerName: "A person" } } : {});
  const create = async (name: string, given: object) => {
    const { body: made, status } = await server.send("POST", `/console/v1/${path}`, { body: { ...body, name, ...given } });
    expect([status >= 200 && status < 300, made.errors]).toEqual([true, undefined]);
  };
  const find = async (query: string) => {
    const { body: found } = await server.send("GET", `/console/v1/${list}?${query}`);
    return found.data.map(({ name }: { name: string }) => name);
  };

  test("finds the entities of a team, and of an owner where entities have one", async () => {
    await create(`${nouns} of both`, { teamID: teams[0], ...owner("ada") });
    await create(`${nouns} of another`, { teamID: teams[1], ...owner("Ada") });
    await create(`${nouns} of none`, {});
    expect(await find(`teamID=${teams[0]}`)).toEqual([`${nouns} of both`]);
    expect(await find(`teamID=${teams[1]}`)).toEqual([`${nouns} of another`]);
    expect(await find("teamID=unknown")).toEqual([]);
    if (hasFilter(operationId, "tags") && operationId.endsWith("Sources")) {
      await server.client.createTag({ body: { name: `tag of ${nouns}` } });
      await create(`${nouns} with a tag`, { tags: [`tag of ${nouns}`] });
      expect(await find(`tags=${encodeURIComponent(`tag of ${nouns}`)}`)).toEqual([`${nouns} with a tag`]);
    }
    if (isOwned) {
      expect(await find("ownerID=ada")).toEqual([`${nouns} of both`]);
      expect(await find(`ownerID=ada&teamID=${teams[1]}`)).toEqual([]);
    }
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
});
