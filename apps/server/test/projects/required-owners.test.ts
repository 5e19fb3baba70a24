import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SETTINGS } from "../support/autotunes.ts";
import { ALERT, makeCheckouts } from "../support/fixture-entities.ts";
import { makePerson } from "../support/people.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeCheckouts(server.client);
});
afterAll(() => server.close());

const DEMAND = "because the project requires an owner (require_owners_on_configs)";
const MISSING = { property: "owner", errorMessage: `is required ${DEMAND}` };
const REMOVED = invalid(["owner", `cannot be removed ${DEMAND}`]);
const ADA = { ownerID: "usr_ada", ownerType: "USER" as const, ownerName: "Ada Byron", ownerEmail: "ada@example.com" };

const requireOwners = (isRequired: boolean) =>
  server.client.updateTeamSettings({ body: { require_teams_on_configs: false, require_owners_on_configs: isRequired } });

describe("updateTeamSettings with require_owners_on_configs", () => {
  const source = { sql: "select 1", timestampColumn: "time", idTypeMapping: [] };
  const creations: [string, object][] = [
    ["gates", {}],
    ["dynamic_configs", {}],
    ["experiments", {}],
    ["layers", { idType: "userID" }],
    ["segments", { type: "id_list" }],
    ["holdouts", {}],
    ["prompts", {}],
    ["metrics", { type: "event_count_custom", metricEvents: [{ name: "purchase" }] }],
    ["metrics/metric_source", source],
    ["experiments/qualifying_events", source],
    ["experiments/entity_properties", { sql: "select 1", idTypeMapping: [] }],
    ["experiments/assignment_sources", { ...source, experimentIDColumn: "experiment", groupIDColumn: "variant" }],
    ["autotunes", SETTINGS],
    ["alerts", ALERT],
    ["param_stores", {}],
    ["prompt_datasets", {}],
    ["release_pipelines", {}],
  ];

  test.each(creations)("400: %s without an owner are refused where one is required", async (path, body) => {
    const create = (given: object, query = "") => server.send("POST", `/console/v1/${path}${query}`, { body: { ...body, ...given } });
    // Dynamic configs and experiments share their ids.
    const name = `of ${path.replace("/", " ")}`;
    await requireOwners(false);
    expect((await create({ name: `${name} before` })).status).toBeLessThan(300);
    await requireOwners(true);
    for (const none of [{}, { owner: null }, { owner: { ownerID: "", ownerType: "USER" } }]) {
      const { status, body: answer } = await create({ name: "without", ...none }, "?dryRun=true");
      expect([status, answer.errors]).toEqual([400, [MISSING]]);
    }
    expect((await create({ name: "without" })).body.errors).toEqual([MISSING]);
    expect((await create({ name, owner: ADA })).body.data.owner).toEqual(ADA);
  });

  test("200: clients that don't name the setting keep it", async () => {
    await requireOwners(true);
    await server.client.updateTeamSettings({ body: { require_teams_on_configs: false } });
    expect((await server.client.getSettings()).data).toMatchObject({ require_teams_on_configs: false, require_owners_on_configs: true });
  });

  test("400: a missing team and a missing owner are refused together", async () => {
    await server.client.updateTeamSettings({ body: { require_teams_on_configs: true, require_owners_on_configs: true } });
    const refused = [expect.objectContaining({ property: "teamID" }), MISSING];
    expect((await refusal(server.client.createGate({ body: { name: "neither" } }))).errors).toEqual(refused);
    await server.client.updateWarehouseConnection({ body: { postgres: { url: "postgres://reader@warehouse.example.com/shop" } } });
    const column_mapping = { event_name: "name", timestamp: "time", unit_id: "user" };
    const body = { type: "postgres", dataset: "Events", source_name: "neither", table: "event", column_mapping } as const;
    expect((await refusal(server.client.createIngestionSource({ body }))).errors).toEqual(refused);
  });

  test("400: an owner can change but not be removed, and an entity without one is changed as before", async () => {
    const { client } = server;
    await requireOwners(false);
    await client.createGate({ body: { name: "unowned gate" } });
    await requireOwners(true);
    await client.createGate({ body: { name: "owned gate", owner: ADA } });
    const path = { id: "owned_gate" };
    expect(await refusal(client.patchGate({ path, body: { owner: null } }))).toEqual(REMOVED);
    const requests = [{ operationId: "patchGate", path, body: { owner: {} } }];
    const batch = await server.send("POST", "/console/v1/batch", { body: { requests } });
    expect(batch.body.errors).toEqual([{ ...REMOVED.errors[0], property: "requests[0].owner" }]);
    const owner = { ownerEmail: "bob@example.com" };
    expect((await client.patchGate({ path, body: { owner } })).data.owner).toEqual(owner);
    const { data } = await client.patchGate({ path: { id: "unowned_gate" }, body: { description: "Still changes." } });
    expect([data.version, data.owner ?? null]).toEqual([2, null]);
  });

  test("200: a restored version without an owner keeps the current one, even if the entity was deleted", async () => {
    const { client } = server;
    await requireOwners(false);
    await client.createSegment({ body: { name: "found owner", type: "id_list" } });
    const path = { id: "found_owner" };
    await client.patchSegment({ path, body: { owner: ADA } });
    await requireOwners(true);
    const restore = async () => (await client.restoreSegmentVersion({ path: { ...path, version: 1 } })).data;
    expect(await restore()).toMatchObject({ version: 3, owner: ADA });
    await client.deleteSegment({ path });
    expect(await restore()).toMatchObject({ version: 5, owner: ADA });
  });
});

describe("applyProject in a project that requires owners", () => {
  const apply = (name: string, caller: object = {}) =>
    server.send("POST", "/console/v1/configuration", { body: { configuration: { segments: [segment(name)] } }, ...caller });
  const segment = (name: string) => ({ id: name, name, type: "id_list" });
  const ownerOf = async (id: string) => (await server.client.getSegment({ path: { id } })).data.owner;

  test("200: new entities belong to the person or key that applies the configuration, and existing ones keep their owner", async () => {
    await requireOwners(true);
    const grace = await makePerson(server, { email: "grace@example.com", isAdministrator: true });
    expect((await apply("by_person", { key: null, headers: { ...grace.headers, "GATEHOUSE-PROJECT": "default" } })).status).toBe(200);
    expect(await ownerOf("by_person")).toMatchObject({ ownerID: grace.person.id, ownerType: "USER", ownerEmail: "grace@example.com" });
    expect((await apply("by_key")).status).toBe(200);
    const { creatorID, creatorName } = (await server.client.getSegment({ path: { id: "by_key" } })).data;
    const key = { ownerID: creatorID, ownerType: "SDK_KEY", ownerName: creatorName };
    expect(await ownerOf("by_key")).toEqual(key);
    expect((await apply("by_person")).body.data).toEqual([]);
    await requireOwners(false);
    await apply("unowned");
    expect(await ownerOf("unowned")).toBeUndefined();
  });
});
