import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
const freshRows = () => server.database.prisma.environmentSet.findMany();
let fresh: Awaited<ReturnType<typeof freshRows>>;
beforeAll(async () => {
  server = await startServer();
  fresh = await freshRows();
});
// A project has one environment set, so each test starts with a fresh database.
beforeEach(async () => {
  await server.database.prisma.environmentSet.deleteMany();
  await server.database.prisma.environmentSet.createMany({ data: fresh });
});
afterAll(() => server.close());

const plain = { isProduction: false, requiresReview: false, requiresReleasePipeline: false };
const newID = expect.stringMatching(/^\w{22}$/);

describe("getEnvironments", () => {
  test("200: a fresh database has development, staging and production", async () => {
    const { data, message, etag } = await server.client.getEnvironments({});
    expect(message).toBe("Environments read successfully.");
    expect(etag).toBe('"1"');
    expect(data).toEqual({
      environments: [
        { id: newID, name: "development", ...plain },
        { id: newID, name: "staging", ...plain },
        { id: newID, name: "production", isProduction: true, requiresReview: false, requiresReleasePipeline: false },
      ],
      version: 1,
    });
  });

  test("200: with a limit, one page of the environments", async () => {
    const { body } = await server.send("GET", "/console/v1/environments?limit=2&page=2");
    expect(body.data).toEqual({
      environments: [{ id: newID, name: "production", ...plain, isProduction: true }],
      version: 1,
    });
  });

  test("304: the caller has the current version", async () => {
    const answer = await server.send("GET", "/console/v1/environments", { headers: { "If-None-Match": '"1"' } });
    expect(answer.status).toBe(304);
  });
});

describe("updateEnvironments", () => {
  test("200: replaces the set: items with an id are kept, items without an id are new, omitted items are removed", async () => {
    const { data: before } = await server.client.getEnvironments({});
    const development = before.environments[0];
    const environments = [
      { name: "canary", ...plain, isProduction: true, requiredReviewGroupID: "leads" },
      { id: development?.id as string, name: "dev", ...plain, requiresReleasePipeline: true },
    ];
    const { data, message, etag } = await server.client.updateEnvironments({ body: { environments } });
    expect(message).toBe("Environments updated successfully.");
    expect(etag).toBe('"2"');
    expect(data).toEqual({ environments: [{ ...environments[0], id: newID }, environments[1]], version: 2 });
    expect((await server.client.getEnvironments({})).data).toEqual(data);
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const { data: set } = await server.client.getEnvironments({});
    const environments = set.environments.map((one) => ({ ...one, requiredReviewGroupID: `${one.name}_leads` }));
    const first = await server.send("POST", "/console/v1/environments", { body: { ...set, environments } });
    expect(first.body.data).toEqual({ environments, version: 2 });
    const second = await server.send("POST", "/console/v1/environments", { body: first.body.data });
    expect(second.body.data).toEqual({ environments, version: 3 });
  });

  test("200: creates the first environments of a project", async () => {
    await server.database.prisma.environmentSet.deleteMany();
    expect((await server.client.getEnvironments({})).data).toEqual({ environments: [], version: 0 });
    const { data } = await server.client.updateEnvironments({ body: { environments: [{ name: "production", ...plain }] } });
    expect(data).toEqual({ environments: [{ id: newID, name: "production", ...plain }], version: 1 });
  });

  test("400: unknown ids, and duplicate names and ids", async () => {
    const { data } = await server.client.getEnvironments({});
    const id = data.environments[0]?.id as string;
    const environments = [
      { id, name: "one", ...plain },
      { id: "nope", name: "two", ...plain },
      { id, name: "one", ...plain },
    ];
    expect((await refusal(server.client.updateEnvironments({ body: { environments } }))).errors).toEqual([
      { property: "environments[2].name", errorMessage: "must be unique in environments, but one is given twice" },
      { property: "environments[2].id", errorMessage: `must be unique in environments, but ${id} is given twice` },
      { property: "environments[1].id", errorMessage: "is not the id of an environment. Omit it to create an environment" },
    ]);
    expect((await server.client.getEnvironments({})).data).toEqual(data);
  });

  test("400: an empty set", async () => {
    expect((await refusal(server.client.updateEnvironments({ body: { environments: [] } }))).errors).toEqual([
      { property: "environments", errorMessage: "must NOT have fewer than 1 items" },
    ]);
  });

  test("409 or 412: one of several writers that read the same version succeeds", async () => {
    const write = () =>
      server.send("POST", "/console/v1/environments", {
        body: { environments: [{ name: "only", ...plain }] },
        headers: { "If-Match": '"1"' },
      });
    const statuses = (await Promise.all([write(), write(), write()])).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 412)).toHaveLength(2);
  });

  test("412: If-Match names another version of the set", async () => {
    const answer = await server.send("POST", "/console/v1/environments", {
      body: { environments: [{ name: "only", ...plain }] },
      headers: { "If-Match": '"7"' },
    });
    expect(answer.status).toBe(412);
    expect((await server.client.getEnvironments({})).data.version).toBe(1);
  });
});
