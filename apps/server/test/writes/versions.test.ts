import { routes } from "@gatehouse/contract/console";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { entitySlices } from "../../src/console/kinds.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { fill, operations } from "../support/operations.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Behavior that the versions of all entities share. Each entity's own tests cover its specifics.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await makeNamed(server);
});
afterAll(() => server.close());

/** The version operations in the register of each kind that a path addresses. */
const versioned = entitySlices.flatMap(({ operations: { read } }) => {
  const { path } = routes[read];
  const find = (method: string, at: string) => operations.find((one) => one.method === method && one.path === at);
  const [list, restore] = [find("GET", `${path}/versions`), find("POST", `${path}/versions/{version}/restore`)];
  const update = find("PATCH", path) ?? find("POST", path);
  if (!list || !restore || !path.includes("{")) return [];
  const title = `${list.operationId} and ${restore.operationId}`;
  return { title, path, update, isDeletable: find("DELETE", path) !== undefined };
});

test("every kind has versions except those listed; environments and settings are versioned as one entity", () => {
  const without = entitySlices.filter(({ operations: { read } }) => !versioned.some(({ path }) => path === routes[read].path));
  expect(without.map(({ kind }) => kind.table)).toEqual([
    "attribute",
    "comment",
    "environment_set",
    "ingestion_schedule",
    "key",
    "member",
    "model_endpoint",
    "person",
    "project_entry",
    "release",
    "result_note",
    "review",
    "role",
    "scheduled_change",
    "settings",
    "warehouse_connection",
  ]);
});

describe.each(versioned.map((one) => [one.title, one] as const))("%s", (_, { path, update, isDeletable }) => {
  /** The kind's name in messages, such as `Dynamic config`. */
  let called: string;
  let first: any;
  let versions: any[];
  let id: string;
  let url: string;

  beforeAll(async () => {
    called = (await server.send("GET", fill(path, {}))).body.message.replace(" absent does not exist.", "");
    const { parameters = {} } = (await makeFixture(server, path)) ?? {};
    id = Object.values(parameters)[0] ?? "";
    url = fill(path, parameters);
    first = (await server.send("GET", url)).body.data;
    if (update) await change(update);
    versions = update ? [(await server.send("GET", url)).body.data, first] : [first];
    server.clock.now += 1000;
  });

  /** Not every kind has a description. */
  async function change({ method, example }: NonNullable<typeof update>): Promise<void> {
    const described = method === "PATCH" && (await server.send(method, url, { body: { description: "Changed." } })).status < 300;
    if (!described) await server.send(method, url, { body: example });
  }

  test("200: complete entities, newest first, in pages", async () => {
    const answer = await server.send("GET", `${url}/versions?limit=1`);
    expect(answer.body).toEqual({
      message: expect.stringMatching(new RegExp(`^${called} versions listed successfully\\.$`, "i")),
      data: versions.slice(0, 1),
      reasons: [],
      pagination: {
        itemsPerPage: 1,
        pageNumber: 1,
        totalItems: versions.length,
        nextPage: versions.length > 1 ? `${url}/versions?page=2&limit=1` : null,
        previousPage: null,
        all: `${url}/versions`,
      },
    });
    expect((await server.send("GET", `${url}/versions`)).body.data).toEqual(versions);
  });

  test("200: restores an earlier version as a new one", async () => {
    const answer = await server.send("POST", `${url}/versions/1/restore`);
    expect(answer.body).toEqual({
      message: expect.stringMatching(new RegExp(`^${called} version 1 restored successfully\\.$`, "i")),
      data: { ...first, version: versions.length + 1, ...("lastModifiedTime" in first && { lastModifiedTime: server.clock.now }) },
    });
    expect((await server.send("GET", url)).body.data).toEqual(answer.body.data);
    expect((await server.send("GET", `${url}/versions`)).body.data).toEqual([answer.body.data, ...versions]);
  });

  const whereDeletable = isDeletable ? test : () => {};
  whereDeletable("200: what is deleted keeps its versions, and one of them makes it exist again", async () => {
    const { data: known } = (await server.send("GET", `${url}/versions`)).body;
    expect((await server.send("DELETE", url)).status).toBe(200);
    expect((await server.send("GET", `${url}/versions`)).body.data).toEqual(known);
    const { status, body } = await server.send("POST", `${url}/versions/1/restore`);
    // The deletion has the number between them.
    const expected = { ...first, version: known.length + 2, ...("lastModifiedTime" in first && { lastModifiedTime: server.clock.now }) };
    const again = {
      ...("salt" in first && { salt: expect.not.stringMatching(first.salt) }),
      ...("resetTime" in first && { resetTime: server.clock.now }),
    };
    expect([status, body.data]).toEqual([200, { ...expected, ...again }]);
    expect((await server.send("GET", url)).body.data).toEqual(body.data);
    expect((await server.send("GET", `${url}/versions`)).body.data).toEqual([body.data, ...known]);
  });

  test("404: the version or its entity does not exist", async () => {
    expect((await server.send("POST", `${url}/versions/99/restore`)).body).toEqual({
      status: 404,
      code: "not_found",
      message: expect.stringMatching(new RegExp(`^Version 99 of ${called} ${id} does not exist\\.$`, "i")),
    });
    const absent = fill(path, {});
    expect((await server.send("POST", `${absent}/versions/1/restore`)).body.message).toBe(`${called} absent does not exist.`);
    expect((await server.send("GET", `${absent}/versions`)).body.message).toBe(`${called} absent does not exist.`);
  });
});

describe("listTeamVersions and restoreTeamVersion", () => {
  test("200: by the team's name too", async () => {
    const { data: team } = await server.client.createTeam({ body: { name: "by name" } });
    expect((await server.client.listTeamVersions({ path: { id: "by name" } })).data).toEqual([team]);
    const { data } = await server.client.restoreTeamVersion({ path: { id: "by name", version: 1 } });
    expect(data).toMatchObject({ id: team.id, version: 2 });
  });
});

describe("listEnvironmentSetVersions and restoreEnvironmentSetVersion", () => {
  const path = "/console/v1/environments/versions";
  const environment = { name: "only", isProduction: true, requiresReview: false, requiresReleasePipeline: false };

  test("200: restores an earlier set with its ids as a new version", async () => {
    const { data: first } = await server.client.getEnvironments({});
    const { data: second } = await server.client.updateEnvironments({ body: { environments: [environment] } });
    expect((await server.send("GET", path)).body).toEqual({
      message: "Environment versions listed successfully.",
      data: [second, first],
      reasons: [],
      pagination: { itemsPerPage: 100, pageNumber: 1, totalItems: 2, nextPage: null, previousPage: null, all: path },
    });
    const { data, message } = await server.client.restoreEnvironmentSetVersion({ path: { version: 1 } });
    expect(message).toBe("Environment version 1 restored successfully.");
    expect(data).toEqual({ ...first, version: 3 });
    expect((await server.client.getEnvironments({})).data).toEqual(data);
  });

  test("200: a project without environments has no versions", async () => {
    await server.database.prisma.environmentSet.deleteMany();
    const { data, pagination } = await server.client.listEnvironmentSetVersions({});
    expect([data, pagination.totalItems]).toEqual([[], 0]);
  });

  test("404: the version does not exist", async () => {
    const answer = await server.send("POST", `${path}/99/restore`);
    expect(answer.body).toMatchObject({ status: 404, message: "Version 99 of environment set default does not exist." });
  });
});

describe("restoreDynamicConfigVersion", () => {
  const conditions = (gate: string) => [{ type: "passes_gate" as const, targetValue: gate }];

  test("200: restores the status too, but no rollout whose time has passed", async () => {
    const [missed, pending] = [1000, 9000].map((delay) => ({ time: server.clock.now + delay, passPercent: 50 }));
    const rules = [{ name: "r", passPercentage: 1, conditions: [], pendingAutomatedRollouts: [missed, pending] as any[] }];
    const { data: config } = await server.client.createDynamicConfig({ body: { name: "rolled back", isEnabled: false, rules } });
    const path = { id: config.id };
    await server.client.archiveDynamicConfig({ path });
    server.clock.now += 2000;
    const { data } = await server.client.restoreDynamicConfigVersion({ path: { ...path, version: 1 } });
    expect(data).toEqual({
      ...config,
      rules: [{ ...config.rules[0], pendingAutomatedRollouts: [pending] }],
      lastModifiedTime: server.clock.now,
      version: 3,
    });
    const { data: archived } = await server.client.restoreDynamicConfigVersion({ path: { ...path, version: 2 } });
    expect(archived.status).toBe("Archived");
  });

  test("400: the version references a deleted entity", async () => {
    await server.client.createGate({ body: { name: "gone since" } });
    const rules = [{ name: "r", passPercentage: 1, conditions: conditions("gone_since") }];
    const { data } = await server.client.createDynamicConfig({ body: { name: "nostalgic", rules } });
    await server.client.patchDynamicConfig({ path: { id: data.id }, body: { rules: [] } });
    await server.client.deleteGate({ path: { id: "gone_since" } });
    const answer = await server.send("POST", `/console/v1/dynamic_configs/${data.id}/versions/1/restore`);
    expect(answer.body).toMatchObject({
      status: 400,
      errors: [{ property: "rules[0].conditions[0].targetValue", errorMessage: "references gate gone_since, which does not exist" }],
    });
  });
});
