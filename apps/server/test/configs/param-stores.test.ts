import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

const PATH = "/console/v1/param_stores";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  const { client } = server;
  await client.createGate({ body: { name: "new_checkout" } });
  await client.createLayer({ body: { name: "look", idType: "userID" } });
  await client.createDynamicConfig({ body: { name: "checkout" } });
  await client.createExperiment({ body: { name: "wording" } });
});
afterAll(() => server.close());

const coupons = { name: "coupons", ref_type: "static" as const, param_type: "boolean" as const, value: false };
const parameters = [
  coupons,
  { name: "columns", ref_type: "gate" as const, param_type: "number" as const, gate_name: "new_checkout", pass_value: 0, fail_value: 2.5 },
  { name: "theme", ref_type: "layer" as const, param_type: "object" as const, layer_name: "look", param_name: "theme" },
  { name: "steps", ref_type: "dynamic_config" as const, param_type: "array" as const, config_name: "checkout", param_name: "steps" },
  { name: "text", ref_type: "experiment" as const, param_type: "string" as const, experiment_name: "wording", param_name: "text" },
  { name: "limits", ref_type: "static" as const, param_type: "object" as const, value: { de: { max: [1, null] } } },
];

const create = (name: string, rest: object = {}) => server.client.createParamStore({ body: { name, ...rest } });

describe("createParamStore", () => {
  test("200: only the name is required; it is also the id and the display name", async () => {
    const { data, message, etag } = await create("checkout_page");
    expect(message).toBe("Param Store read successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "checkout_page",
      name: "checkout_page",
      displayName: "checkout_page",
      description: "",
      targetAppIDs: [],
      tags: [],
      team: null,
      teamID: null,
      parameters: [],
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

  test("200: stores every field as given", async () => {
    const given = { displayName: "All", description: "All of it.", targetAppIDs: ["app_1"], tags: ["a"], team: "Web", parameters };
    const { data } = await create("all of it", given);
    expect(data).toMatchObject(given);
  });

  test("400: names that a URL cannot contain, together with violations of the parameters", async () => {
    expect((await refusal(create(".", { parameters: [coupons, coupons] }))).errors).toEqual([
      { property: "name", errorMessage: "cannot be ., which has a special meaning in URLs" },
      { property: "parameters[1].name", errorMessage: "must be unique in parameters, but coupons is given twice" },
    ]);
  });

  test("409: a store with the same name exists", async () => {
    await create("taken");
    expect(await refusal(create("taken"))).toEqual(conflicting("Param store taken already exists.", "name"));
  });
});

describe("listParamStores", () => {
  test("200: newest first, in pages", async () => {
    const own = await startServer();
    for (const name of ["first", "second", "third"]) {
      own.clock.now += 1000;
      await own.client.createParamStore({ body: { name } });
    }
    const all = await own.send("GET", PATH);
    const page = await own.send("GET", `${PATH}?limit=2&page=2`);
    await own.close();
    expect(all.body).toMatchObject({ message: "List param stores success", pagination: { totalItems: 3, nextPage: null } });
    expect(all.body.data.map(({ name }: { name: string }) => name)).toEqual(["third", "second", "first"]);
    expect(page.body).toMatchObject({ data: [all.body.data[2]], pagination: { pageNumber: 2, totalItems: 3 } });
  });
});

describe("getParamStore", () => {
  test("200: by any name, percent-encoded", async () => {
    const name = "Seite/Kasse: 50% ? #1";
    const { data } = await create(name, { parameters });
    const read = await server.client.getParamStore({ path: { name } });
    expect(read).toMatchObject({ message: "Param Store read successfully.", data });
  });

  test("304: the caller has the current version", async () => {
    const { etag = "" } = await create("held");
    const answer = await server.send("GET", `${PATH}/held`, { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(304);
  });

  test("404: the store does not exist", async () => {
    expect(await refusal(server.client.getParamStore({ path: { name: "nope" } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Param store nope does not exist.",
      errors: [],
    });
  });
});

describe("updateParamStore", () => {
  test("200: stores parameters of every ref_type and param_type, and keeps omitted fields", async () => {
    const { data: store } = await create("partly", { description: "Kept.", tags: ["a"] });
    server.clock.now += 1000;
    const { data, message } = await server.client.updateParamStore({ path: { name: "partly" }, body: { parameters } });
    expect(message).toBe("Param Store read successfully.");
    expect(data).toEqual({ ...store, parameters, version: 2, lastModifiedTime: server.clock.now });
    const described = await server.client.updateParamStore({ path: { name: "partly" }, body: { description: "New." } });
    expect(described.data).toEqual({ ...data, description: "New.", version: 3 });
    expect((await server.client.getParamStore({ path: { name: "partly" } })).data).toEqual(described.data);
  });

  test("200: changes the team, and removes it", async () => {
    const { data: team } = await server.client.createTeam({ body: { name: "Storekeepers" } });
    await create("handed over", { team: "Web" });
    const give = async (body: object) => (await server.client.updateParamStore({ path: { name: "handed over" }, body })).data;
    expect(await give({ team: team.name, teamID: team.id })).toMatchObject({ team: "Storekeepers", teamID: team.id, version: 2 });
    const { data: listed } = await server.client.listParamStores({ query: { teamID: team.id } });
    expect(listed.map(({ name }) => name)).toEqual(["handed over"]);
    expect(await give({ team: null, teamID: null })).toMatchObject({ team: null, teamID: null, version: 3 });
    const unknown = server.client.updateParamStore({ path: { name: "handed over" }, body: { teamID: "nobody" } });
    expect((await refusal(unknown)).errors).toMatchObject([{ property: "teamID" }]);
  });

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const { data: store } = await create("round trip", { displayName: "Round", targetAppIDs: ["app_1"], team: "Web", parameters });
    const answer = await server.send("POST", `${PATH}/round%20trip`, { body: { ...store, description: "edited" } });
    expect(answer.body.data).toEqual({ ...store, description: "edited", version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: ignores fields that are fixed at creation", async () => {
    const { data: store } = await create("settled");
    const answer = await server.send("POST", `${PATH}/settled`, { body: { name: "other", displayName: "Other", tags: ["b"] } });
    expect(answer.body.data).toEqual({ ...store, version: 2, lastModifiedTime: server.clock.now });
  });

  test("400: names every violation of the parameters with its place, and nothing changes", async () => {
    const { data: store } = await create("checked", { parameters: [coupons] });
    const wrong = [
      { name: "a", ref_type: "gate", param_type: "number", value: 1, gate_name: "g", pass_value: "1" },
      { name: "b", ref_type: "static", param_type: "array", value: {} },
      { name: "a", ref_type: "experiment", param_type: "string", layer_name: "l" },
    ];
    const answer = await server.send("POST", `${PATH}/checked`, { body: { parameters: wrong } });
    expect(answer.body).toEqual({
      status: 400,
      code: "invalid_request",
      message: "The request is not valid.",
      errors: [
        { property: "parameters[2].name", errorMessage: "must be unique in parameters, but a is given twice" },
        { property: "parameters[0].value", errorMessage: "must be left out with ref_type gate" },
        { property: "parameters[0].fail_value", errorMessage: "is required with ref_type gate" },
        { property: "parameters[0].pass_value", errorMessage: "must be a number with param_type number" },
        { property: "parameters[1].value", errorMessage: "must be an array with param_type array" },
        { property: "parameters[2].layer_name", errorMessage: "must be left out with ref_type experiment" },
        { property: "parameters[2].param_name", errorMessage: "is required with ref_type experiment" },
        { property: "parameters[2].experiment_name", errorMessage: "is required with ref_type experiment" },
      ],
    });
    expect((await server.client.getParamStore({ path: { name: "checked" } })).data).toEqual(store);
  });

  test("400: names each unknown reference of the parameters with its place", async () => {
    const { data: store } = await create("sourced");
    const wrong = parameters.map((parameter) => ({ ...parameter }));
    Object.assign(wrong[1] as object, { gate_name: "nope" });
    Object.assign(wrong[2] as object, { layer_name: "nope" });
    Object.assign(wrong[3] as object, { config_name: "nope" });
    Object.assign(wrong[4] as object, { experiment_name: "nope" });
    const update = server.client.updateParamStore({ path: { name: "sourced" }, body: { parameters: wrong } });
    expect((await refusal(update)).errors).toEqual([
      { property: "parameters[1].gate_name", errorMessage: "references gate nope, which does not exist" },
      { property: "parameters[2].layer_name", errorMessage: "references layer nope, which does not exist" },
      { property: "parameters[3].config_name", errorMessage: "references dynamic config nope, which does not exist" },
      { property: "parameters[4].experiment_name", errorMessage: "references experiment nope, which does not exist" },
    ]);
    expect((await server.client.getParamStore({ path: { name: "sourced" } })).data).toEqual(store);
  });

  test("400: an unknown ref_type or property", async () => {
    await create("closed");
    const answer = await server.send("POST", `${PATH}/closed`, {
      body: { parameters: [{ name: "a", ref_type: "segment", param_type: "string", vale: "x" }] },
    });
    expect(answer.body.errors).toEqual(
      expect.arrayContaining([
        { property: "parameters[0].ref_type", errorMessage: expect.stringContaining("static, gate, layer, dynamic_config, experiment") },
        { property: "parameters[0].vale", errorMessage: "is unknown. Did you mean value?" },
      ]),
    );
  });

  test("404: the store does not exist", async () => {
    expect((await refusal(server.client.updateParamStore({ path: { name: "nope" }, body: {} }))).status).toBe(404);
  });

  test("409: each concurrent writer creates a version or gets a conflict", async () => {
    await create("contended");
    const write = (description: string) => server.client.updateParamStore({ path: { name: "contended" }, body: { description } });
    const results = await Promise.allSettled([write("1"), write("2"), write("3"), write("4")]);
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused.map(({ reason }) => reason.status)).toEqual(refused.map(() => 409));
    const { data } = await server.client.getParamStore({ path: { name: "contended" } });
    expect(data.version).toBe(1 + results.length - refused.length);
  });

  test("412: If-Match names another version", async () => {
    const { etag = "" } = await create("guarded");
    const path = { name: "guarded" };
    await server.client.updateParamStore({ path, body: { description: "a" }, ifMatch: etag });
    expect((await refusal(server.client.updateParamStore({ path, body: { description: "b" }, ifMatch: etag }))).status).toBe(412);
  });
});

describe("deleteParamStore", () => {
  test("200: deletes the store, and frees its name", async () => {
    const path = { name: "brief" };
    await create("brief");
    expect(await server.client.deleteParamStore({ path })).toEqual({ message: "Param store deleted successfully." });
    expect((await refusal(server.client.getParamStore({ path }))).status).toBe(404);
    expect((await create("brief")).data.version).toBe(1);
  });

  test("404: the store does not exist", async () => {
    expect((await refusal(server.client.deleteParamStore({ path: { name: "nope" } }))).status).toBe(404);
  });

  test("412: If-Match names another version", async () => {
    const { data } = await create("kept");
    const path = { name: "kept" };
    expect((await refusal(server.client.deleteParamStore({ path, ifMatch: '"9-abc"' }))).status).toBe(412);
    expect((await server.client.getParamStore({ path })).data).toEqual(data);
  });
});
