import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

const PATH = "/console/v1/release_pipelines";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const ID = /^\w{22}$/;
const staff = { type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@example.com"] };
const phase = (name: string, rest: object = {}) => ({ name, timeIntervalMs: 1000, requiredReview: false, rules: [], ...rest });

describe("createReleasePipeline", () => {
  test("200: only the name is required", async () => {
    const { data, message, etag } = await server.client.createReleasePipeline({ body: { name: "Empty" } });
    expect(message).toBe("Get pipeline success");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: expect.stringMatching(ID),
      name: "Empty",
      phases: [],
      team: null,
      teamID: null,
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

  test("200: phases and rules keep their ids or get one, and environments default to null", async () => {
    const { data } = await server.client.createReleasePipeline({
      body: {
        name: "Two phases",
        phases: [
          { id: "p1", ...phase("Staff", { rules: [{ id: "r1", name: "Employees", conditions: [staff], environments: ["staging"] }] }) },
          phase("Everyone", { timeIntervalMs: 0, requiredReview: true, rules: [{ name: "All", conditions: [{ type: "public" }] }] }),
        ],
      },
    });
    expect(data.phases).toEqual([
      {
        id: "p1",
        name: "Staff",
        timeIntervalMs: 1000,
        requiredReview: false,
        rules: [{ id: "r1", name: "Employees", conditions: [staff], environments: ["staging"] }],
      },
      {
        id: expect.stringMatching(ID),
        name: "Everyone",
        timeIntervalMs: 0,
        requiredReview: true,
        rules: [{ id: expect.stringMatching(ID), name: "All", conditions: [{ type: "public" }], environments: null }],
      },
    ]);
  });

  test("200: has the id in the body, or a new one if another pipeline has it, so that a pipeline can be copied", async () => {
    const { data } = await server.client.createReleasePipeline({ body: { name: "Original", phases: [phase("One")] } });
    const given = await server.send("POST", PATH, { body: { name: "Given", id: "given_id" } });
    expect(given.body.data.id).toBe("given_id");
    const copy = await server.send("POST", PATH, { body: data });
    expect(copy.body.data).toEqual({ ...data, id: expect.not.stringMatching(`^${data.id}$`) });
  });

  test("400: names each invalid condition with its place", async () => {
    const rule = (name: string, ...conditions: object[]) => ({ name, conditions });
    const answer = await server.send("POST", PATH, {
      body: {
        name: "Wrong",
        phases: [phase("One", { rules: [rule("a", { type: "email" }), rule("b", staff, { type: "email" })] })],
      },
    });
    expect(answer.body.errors).toEqual([
      { property: "phases[0].rules[0].conditions[0].operator", errorMessage: "is required with type email" },
      { property: "phases[0].rules[1].conditions[1].operator", errorMessage: "is required with type email" },
    ]);
  });

  test("400: duplicate names or ids of phases or rules", async () => {
    const rules = [
      { id: "r", name: "same", conditions: [] },
      { id: "r", name: "same", conditions: [] },
    ];
    const phases = [phase("One", { id: "p" }), phase("Two", { rules }), phase("One", { id: "p" })];
    const { errors } = await refusal(server.client.createReleasePipeline({ body: { name: "Wrong", phases } }));
    expect(errors).toEqual([
      { property: "phases[2].name", errorMessage: "must be unique in phases, but One is given twice" },
      { property: "phases[2].id", errorMessage: "must be unique in phases, but p is given twice" },
      { property: "phases[1].rules[1].name", errorMessage: "must be unique in phases[1].rules, but same is given twice" },
      { property: "phases[1].rules[1].id", errorMessage: "must be unique in phases[1].rules, but r is given twice" },
    ]);
  });

  test("400: a time interval that is fractional or negative", async () => {
    const errors = async (timeIntervalMs: number) =>
      (await refusal(server.client.createReleasePipeline({ body: { name: "Wrong", phases: [phase("One", { timeIntervalMs })] } }))).errors;
    expect(await errors(-1)).toEqual([{ property: "phases[0].timeIntervalMs", errorMessage: "must be >= 0" }]);
    expect(await errors(0.5)).toEqual([{ property: "phases[0].timeIntervalMs", errorMessage: "must be integer" }]);
  });

  test("400: a condition references an unknown gate or segment", async () => {
    const rules = [{ name: "Some", conditions: [{ type: "passes_segment" as const, targetValue: "nope" }] }];
    const call = server.client.createReleasePipeline({ body: { name: "Names", phases: [phase("one"), phase("two", { rules })] } });
    expect((await refusal(call)).errors).toEqual([
      { property: "phases[1].rules[0].conditions[0].targetValue", errorMessage: "references segment nope, which does not exist" },
    ]);
  });
});

describe("listReleasePipelines", () => {
  test("200: newest first, in pages", async () => {
    const own = await startServer();
    for (const name of ["first", "second", "third"]) {
      own.clock.now += 1000;
      await own.client.createReleasePipeline({ body: { name } });
    }
    const all = await own.send("GET", PATH);
    const page = await own.send("GET", `${PATH}?limit=2&page=2`);
    await own.close();
    expect(all.body).toMatchObject({ message: "List pipelines success", pagination: { totalItems: 3, nextPage: null } });
    expect(all.body.data.map(({ name }: { name: string }) => name)).toEqual(["third", "second", "first"]);
    expect(page.body).toMatchObject({ data: [all.body.data[2]], pagination: { pageNumber: 2, totalItems: 3 } });
  });
});

describe("getReleasePipeline", () => {
  test("200: returns the pipeline as created", async () => {
    const { data } = await server.client.createReleasePipeline({ body: { name: "Read", phases: [phase("One")] } });
    const read = await server.client.getReleasePipeline({ path: { id: data.id } });
    expect(read).toMatchObject({ message: "Get pipeline success", data });
  });

  test("304: the caller has the current version", async () => {
    const { data, etag = "" } = await server.client.createReleasePipeline({ body: { name: "Held" } });
    const answer = await server.send("GET", `${PATH}/${data.id}`, { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(304);
  });

  test("404: the pipeline does not exist", async () => {
    expect(await refusal(server.client.getReleasePipeline({ path: { id: "nope" } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Release pipeline nope does not exist.",
      errors: [],
    });
  });
});

describe("deleteReleasePipeline", () => {
  test("200: deletes the pipeline", async () => {
    const { data } = await server.client.createReleasePipeline({ body: { name: "Brief" } });
    const path = { id: data.id };
    expect(await server.client.deleteReleasePipeline({ path })).toEqual({ message: "Pipeline deleted successfully." });
    expect((await refusal(server.client.getReleasePipeline({ path }))).status).toBe(404);
  });

  test("409: a gate or dynamic config uses the pipeline, unless forceArchive is true", async () => {
    const { data } = await server.client.createReleasePipeline({ body: { name: "Used" } });
    const path = { id: data.id };
    await server.client.createGate({ body: { name: "released", releasePipelineID: data.id } });
    await server.client.createDynamicConfig({ body: { name: "released too", releasePipelineID: data.id } });
    expect(await refusal(server.client.deleteReleasePipeline({ path }))).toMatchObject({
      status: 409,
      message: expect.stringContaining("cannot be deleted: it is referenced by dynamic config released_too, gate released."),
    });
    await server.client.deleteReleasePipeline({ path, query: { forceArchive: true } });
    expect((await refusal(server.client.getReleasePipeline({ path }))).status).toBe(404);
    expect((await server.client.getGate({ path: { id: "released" } })).data.releasePipelineID).toBe(data.id);
  });

  test("404: the pipeline does not exist", async () => {
    expect((await refusal(server.client.deleteReleasePipeline({ path: { id: "nope" } }))).status).toBe(404);
  });

  test("412: If-Match names another version", async () => {
    const { data } = await server.client.createReleasePipeline({ body: { name: "Kept" } });
    const path = { id: data.id };
    expect((await refusal(server.client.deleteReleasePipeline({ path, ifMatch: '"9-abc"' }))).status).toBe(412);
    expect((await server.client.getReleasePipeline({ path })).data).toEqual(data);
  });
});
