import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const createTeam = async (name: string) => (await server.client.createTeam({ body: { name } })).data;

const notThere = { status: 404, code: "not_found", message: "Team nope does not exist.", errors: [] };

describe("createTeam", () => {
  test("200: only the name is required; by default anyone can change and approve", async () => {
    const { data, message, etag } = await server.client.createTeam({ body: { name: "Payments" } });
    expect(message).toBe("Team created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: expect.stringMatching(/^\w{22}$/),
      name: "Payments",
      description: "",
      defaultGateMetrics: [],
      defaultExperimentPrimaryMetrics: [],
      defaultExperimentSecondaryMetrics: [],
      defaultHoldoutMetrics: [],
      changeTeamConfigs: "anyone",
      reviewApproval: "anyone",
      defaultTargetApplications: [],
      defaultHoldoutID: null,
      requireReviews: null,
      requireGateTemplates: null,
      requireExperimentTemplates: null,
      requireDynamicConfigTemplates: null,
      members: [],
      admins: [],
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: server.clock.now,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: server.clock.now,
      version: 1,
    });
  });

  test("200: stores every field as given; email addresses become members and admins", async () => {
    const { id: defaultHoldoutID } = (await server.client.createHoldout({ body: { name: "Kept back", idType: "userID" } })).data;
    const given = {
      name: "Search",
      description: "Finds things.",
      defaultGateMetrics: [{ name: "dau", type: "event_user" }],
      defaultExperimentPrimaryMetrics: [{ name: "purchase", type: "event_count_custom" }],
      defaultExperimentSecondaryMetrics: [{ name: "refund", type: "event_count_custom" }],
      defaultHoldoutMetrics: [{ name: "dau", type: "event_user" }],
      changeTeamConfigs: "team_only" as const,
      reviewApproval: "admin_only" as const,
      defaultTargetApplications: ["web"],
      defaultHoldoutID,
      requireReviews: true,
      requireGateTemplates: false,
      requireExperimentTemplates: true,
      requireDynamicConfigTemplates: false,
    };
    const { data } = await server.client.createTeam({
      body: { ...given, members: ["kim@example.com"], admins: ["sam@example.com"] },
    });
    expect(data).toMatchObject({
      ...given,
      members: [{ email: "kim@example.com", firstName: "", lastName: "", role: "member" }],
      admins: [{ email: "sam@example.com", firstName: "", lastName: "", role: "admin" }],
    });
  });

  test("400: an unknown approval, an invalid address, a duplicate address", async () => {
    const body = { name: "strict", reviewApproval: "everyone", members: ["kim"], admins: ["a@b.co", "a@b.co"] };
    const answer = await server.send("POST", "/console/v1/users/teams", { body });
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { property: "reviewApproval", errorMessage: expect.stringContaining("must be equal to one of the allowed values") },
        { property: "members[0]", errorMessage: "must be an email address" },
        { property: "admins", errorMessage: expect.stringContaining("must NOT have duplicate items") },
      ]),
    );
    expect(answer.body.errors).toHaveLength(3);
  });

  test("409: the name is taken", async () => {
    await createTeam("Twice");
    expect(await refusal(createTeam("Twice"))).toEqual(conflicting("Team Twice already exists.", "name"));
  });

  test("409: exactly one of several teams with one name is created concurrently", async () => {
    const create = () => server.send("POST", "/console/v1/users/teams", { body: { name: "Contended" } });
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([200, 409, 409]);
  });

  test("400: an unknown default holdout; an existing one is then deleted only by force", async () => {
    const create = (defaultHoldoutID: string) => server.client.createTeam({ body: { name: "Careful", defaultHoldoutID } });
    expect((await refusal(create("nope"))).errors).toEqual([
      { property: "defaultHoldoutID", errorMessage: "references holdout nope, which does not exist" },
    ]);
    const { id } = (await server.client.createHoldout({ body: { name: "Default", idType: "userID" } })).data;
    const { data: team } = await create(id);
    expect(await refusal(server.client.deleteHoldout({ path: { id } }))).toMatchObject({
      status: 409,
      message: expect.stringContaining(`Holdout ${id} cannot be deleted: it is referenced by team ${team.id}.`),
    });
    await server.client.deleteHoldout({ path: { id }, query: { forceArchive: true } });
    expect((await server.client.getTeam({ path: { id: team.id } })).data.defaultHoldoutID).toBe(id);
  });
});

describe("getTeam", () => {
  test("200: by id and by name", async () => {
    const team = await createTeam("Growth & Web/App");
    const { data, message } = await server.client.getTeam({ path: { id: team.id } });
    expect(message).toBe("Team read successfully.");
    expect(data).toEqual(team);
    expect((await server.client.getTeam({ path: { id: "Growth & Web/App" } })).data).toEqual(team);
  });

  test("200: an id takes precedence over an equal name", async () => {
    const team = await createTeam("First");
    await createTeam(team.id);
    expect((await server.client.getTeam({ path: { id: team.id } })).data.name).toBe("First");
  });

  test("304: the caller has the current version", async () => {
    const { data, etag } = await server.client.createTeam({ body: { name: "Held" } });
    const answer = await server.send("GET", `/console/v1/users/teams/${data.id}`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
  });

  test("404: the team does not exist", async () => {
    expect(await refusal(server.client.getTeam({ path: { id: "nope" } }))).toEqual(notThere);
  });
});

describe("listTeams", () => {
  test("200: newest first, in pages, with members and admins", async () => {
    const fields = { changeTeamConfigs: "team_only" as const, members: ["kim@example.com"], admins: ["sam@example.com"] };
    server.clock.now += 1000;
    await server.client.createTeam({ body: { name: "Older" } });
    server.clock.now += 1000;
    const { data: team } = await server.client.createTeam({ body: { name: "Newer", ...fields } });
    const { data, message, pagination } = await server.client.listTeams({ query: { limit: 1 } });
    expect(message).toBe("Teams listed successfully.");
    expect(data).toEqual([team]);
    expect(data[0]).toMatchObject({ members: [{ email: "kim@example.com" }], admins: [{ email: "sam@example.com" }] });
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 1,
      totalItems: await server.database.prisma.team.count(),
      nextPage: "/console/v1/users/teams?page=2&limit=1",
      previousPage: null,
      all: "/console/v1/users/teams",
    });
    expect((await server.client.listTeams({ query: { limit: 1, page: 2 } })).data[0]?.name).toBe("Older");
  });
});

describe("deleteTeam", () => {
  test("200: deletes by name, and frees the name", async () => {
    const { id } = await createTeam("Short lived");
    expect(await server.client.deleteTeam({ path: { id: "Short lived" } })).toMatchObject({ message: "Team deleted successfully" });
    expect((await refusal(server.client.getTeam({ path: { id } }))).status).toBe(404);
    expect((await createTeam("Short lived")).id).not.toBe(id);
  });

  test("404: the team does not exist", async () => {
    expect(await refusal(server.client.deleteTeam({ path: { id: "nope" } }))).toEqual(notThere);
  });

  test("409 or 404: exactly one of several concurrent deletions succeeds", async () => {
    const { id } = await createTeam("Leaving");
    const remove = () => server.send("DELETE", `/console/v1/users/teams/${id}`);
    const statuses = (await Promise.all([remove(), remove(), remove()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 404)).toHaveLength(2);
  });

  test("412: If-Match names another version", async () => {
    const { id } = await createTeam("Guarded");
    const answer = await server.send("DELETE", `/console/v1/users/teams/${id}`, { headers: { "If-Match": '"9-x"' } });
    expect(answer.status).toBe(412);
    expect((await server.client.getTeam({ path: { id } })).data.name).toBe("Guarded");
  });
});

describe("patchTeam", () => {
  test("200: only the fields given change, and a list is replaced", async () => {
    const body = { name: "Growth", members: ["kim@example.com", "robin@example.com"], admins: ["sam@example.com"] };
    const { data: team } = await server.client.createTeam({ body });
    server.clock.now += 1000;
    const metrics = [{ name: "purchase", type: "event_count_custom" }];
    const change = {
      description: "Grows.",
      members: ["lee@example.com"],
      defaultGateMetrics: metrics,
      changeTeamConfigs: "team_only" as const,
    };
    const { data, message, etag } = await server.client.patchTeam({ path: { id: "Growth" }, body: change });
    expect(message).toBe("Team updated successfully.");
    expect(data).toEqual({
      ...team,
      ...change,
      members: [{ email: "lee@example.com", firstName: "", lastName: "", role: "member" }],
      lastModifiedTime: server.clock.now,
      version: 2,
    });
    expect(etag).toBe(`"2-${team.createdTime.toString(36)}"`);
    expect((await server.client.listTeamVersions({ path: { id: team.id } })).data.map(({ version }) => version)).toEqual([2, 1]);
  });

  test("200: what has the team's name has the new one, archived entities too, each as a new version; ids stay", async () => {
    const { client } = server;
    const { id } = await createTeam("Old name");
    const named = { team: "Old name" };
    await client.createGate({ body: { name: "a gate of it", ...named, teamID: id, description: "Old name" } });
    await client.createGate({ body: { name: "archived of it", ...named } });
    await client.archiveGate({ path: { id: "archived_of_it" } });
    await client.createLayer({ body: { name: "a layer of it", idType: "userID", ...named } });
    await client.createParamStore({ body: { name: "a_store_of_it", ...named } });
    await client.createGate({ body: { name: "of another", team: "Old names", description: "Old name" } });
    server.clock.now += 1000;
    await client.patchTeam({ path: { id }, body: { name: "New name" } });
    const gate = async (of: string) => (await client.getGate({ path: { id: of } })).data;
    const renamed = { team: "New name", lastModifiedTime: server.clock.now };
    expect(await gate("a_gate_of_it")).toMatchObject({ ...renamed, teamID: id, description: "Old name", version: 2 });
    expect(await gate("archived_of_it")).toMatchObject({ ...renamed, version: 3 });
    expect(await gate("of_another")).toMatchObject({ team: "Old names", version: 1 });
    expect((await client.getLayer({ path: { id: "a_layer_of_it" } })).data).toMatchObject({ ...renamed, version: 2 });
    expect((await client.getParamStore({ path: { name: "a_store_of_it" } })).data).toMatchObject({ ...renamed, version: 2 });
    const changes = await server.database.prisma.change.findMany({
      where: { operationID: "patchTeam", actorName: "CONSOLE API" },
      orderBy: { id: "asc" },
    });
    expect(changes.slice(-5).map(({ entityType, entityID }) => `${entityType} ${entityID}`)).toEqual([
      ...[`team ${id}`, "gate a_gate_of_it", "gate archived_of_it", "layer a_layer_of_it", "param_store a_store_of_it"],
    ]);
    await client.restoreTeamVersion({ path: { id, version: 1 } });
    expect(await gate("a_gate_of_it")).toMatchObject({ team: "Old name", teamID: id, version: 3 });
  });

  test("200: a team whose name is another's id is renamed without a change of that id", async () => {
    const { client } = server;
    const { id: teamID } = await createTeam("Borrowed from");
    await client.createGate({ body: { name: "owned by id", teamID } });
    const { id } = await createTeam(teamID);
    await client.patchTeam({ path: { id }, body: { name: "Its own" } });
    expect((await client.getGate({ path: { id: "owned_by_id" } })).data).toMatchObject({ teamID, team: null, version: 1 });
  });

  test("409: the name is another team's", async () => {
    await createTeam("First of two");
    const { id } = await createTeam("Second of two");
    expect(await refusal(server.client.patchTeam({ path: { id }, body: { name: "First of two" } }))).toEqual(
      conflicting("Team First of two already exists.", "name"),
    );
  });

  test("400: an invalid address, and a default holdout that does not exist", async () => {
    const { id } = await createTeam("Strict");
    const send = async (body: object) => (await server.send("PATCH", `/console/v1/users/teams/${id}`, { body })).body.errors;
    expect(await send({ admins: ["sam"] })).toEqual([{ property: "admins[0]", errorMessage: "must be an email address" }]);
    expect(await send({ defaultHoldoutID: "nope" })).toEqual([
      { property: "defaultHoldoutID", errorMessage: "references holdout nope, which does not exist" },
    ]);
  });

  test("404: no such team", async () => {
    expect((await refusal(server.client.patchTeam({ path: { id: "nope" }, body: {} }))).message).toBe("Team nope does not exist.");
  });
});
