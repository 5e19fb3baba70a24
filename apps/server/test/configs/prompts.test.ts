import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

const PATH = "/console/v1/prompts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

describe("createPrompt", () => {
  test("200: only the name is required; the id is derived from it and the rest has defaults", async () => {
    const { data, message, etag } = await server.client.createPrompt({ body: { name: "Order  Summary 2.0" } });
    expect(message).toBe("Prompt created successfully.");
    expect(etag).toBe(`"1-${server.clock.now.toString(36)}"`);
    expect(data).toEqual({
      id: "order_summary_2.0",
      name: "Order  Summary 2.0",
      displayName: "Order  Summary 2.0",
      description: "",
      idType: "userID",
      targetApps: [],
      holdoutIDs: [],
      tags: [],
      team: null,
      teamID: null,
      evaluation: null,
      liveVersionID: null,
      versions: [],
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
    const given = {
      name: "All of it",
      displayName: "All",
      description: "x".repeat(1000),
      targetApps: ["shop"],
      team: "Checkout",
      teamID: await makeTeam(server),
      tags: ["a"],
      creatorID: "usr_1",
      creatorEmail: "ada@example.com",
      owner: { ownerID: "usr_1", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" },
    };
    const { data } = await server.client.createPrompt({ body: given });
    expect(data).toMatchObject(given);
    expect((await server.client.getPrompt({ path: { id: "all_of_it" } })).data).toEqual(data);
  });

  test("200: owner and creator can be null", async () => {
    const { data } = await server.client.createPrompt({ body: { name: "Ownerless", owner: null, creatorID: null, creatorEmail: null } });
    expect(data).toMatchObject({ owner: null, creatorID: null, creatorEmail: null });
  });

  test("400: names are 3 to 100 printable characters, and descriptions at most 1000 characters", async () => {
    const properties = async (body: { name: string; displayName?: string; description?: string }) =>
      (await refusal(server.client.createPrompt({ body }))).errors.map((error) => (error as { property: string }).property);
    expect(await properties({ name: "ab", displayName: "x".repeat(101), description: "x".repeat(1001) })).toEqual(
      expect.arrayContaining(["name", "displayName", "description"]),
    );
    expect(await properties({ name: "a\tb" })).toEqual(["name"]);
  });

  test("409: a prompt with the same id exists", async () => {
    await server.client.createPrompt({ body: { name: "twice made" } });
    expect(await refusal(server.client.createPrompt({ body: { name: "Twice  Made" } }))).toEqual(
      conflicting("Prompt twice_made already exists."),
    );
  });
});

describe("listPrompts", () => {
  test("200: newest first, in pages", async () => {
    const own = await startServer();
    for (const name of ["first", "second", "third"]) {
      own.clock.now += 1000;
      await own.client.createPrompt({ body: { name } });
    }
    const { message, data, pagination } = await own.client.listPrompts({ query: { limit: 2 } });
    const last = await own.client.listPrompts({ query: { limit: 2, page: 2 } });
    await own.close();
    expect(message).toBe("Prompts listed successfully.");
    expect(data.map(({ name }) => name)).toEqual(["third", "second"]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 3,
      nextPage: `${PATH}?page=2&limit=2`,
      previousPage: null,
      all: PATH,
    });
    expect(last.data.map(({ name }) => name)).toEqual(["first"]);
    expect(last.pagination).toMatchObject({ nextPage: null, previousPage: `${PATH}?page=1&limit=2` });
  });
});

describe("getPrompt", () => {
  test("200: returns the prompt as created", async () => {
    const { data } = await server.client.createPrompt({ body: { name: "Read" } });
    const read = await server.client.getPrompt({ path: { id: "read" } });
    expect(read).toMatchObject({ message: "Prompt read successfully.", data });
  });

  test("304: the caller has the current version", async () => {
    const { etag = "" } = await server.client.createPrompt({ body: { name: "held" } });
    const answer = await server.send("GET", `${PATH}/held`, { headers: { "If-None-Match": etag } });
    expect(answer.status).toBe(304);
  });

  test("404: the prompt does not exist", async () => {
    expect(await refusal(server.client.getPrompt({ path: { id: "nope" } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Prompt nope does not exist.",
      errors: [],
    });
  });
});

const VERSION = {
  name: "Polite",
  description: "With a greeting.",
  prompts: [
    { role: "system" as const, content: "You are polite." },
    { role: "user" as const, content: "Greet {{name}}." },
  ],
  provider: "openai",
  model: "small",
  temperature: 0.5,
  top_p: 0.9,
  frequency_penalty: -1,
  presence_penalty: 1,
  max_tokens: 100,
  eval_model: "large",
  workflow_body: { type: "JSON" as const, value: '{"depth":2}' },
};

const makePrompt = async (name: string) => (await server.client.createPrompt({ body: { name } })).data.id;

describe("createPromptVersion", () => {
  test("201: adds a candidate with every field as given, and a new version of the prompt", async () => {
    const id = await makePrompt("with a version");
    const { data, message } = await server.client.createPromptVersion({ path: { id }, body: VERSION });
    expect(message).toBe("Prompt version created successfully.");
    expect(data).toEqual({
      ...VERSION,
      id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
      createdTime: server.clock.now,
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
    });
    const prompt = await server.client.getPrompt({ path: { id } });
    expect([prompt.data.versions, prompt.data.liveVersionID, prompt.data.version]).toEqual([[data], null, 2]);
  });

  test("201: needs only a name", async () => {
    const id = await makePrompt("with a bare version");
    const { data } = await server.client.createPromptVersion({ path: { id }, body: { name: "Bare" } });
    expect(data).toMatchObject({ name: "Bare", description: "", prompts: [] });
  });

  test("201: makes the version live at once if the request says so", async () => {
    const id = await makePrompt("with a live version");
    await server.client.createPromptVersion({ path: { id }, body: { name: "First", isLive: true } });
    const { data } = await server.client.createPromptVersion({ path: { id }, body: { name: "Second", isLive: true } });
    await server.client.createPromptVersion({ path: { id }, body: { name: "Third", isLive: false } });
    expect(data).not.toHaveProperty("isLive");
    expect((await server.client.getPrompt({ path: { id } })).data.liveVersionID).toBe(data.id);
  });

  test("400: the body of the workflow is not JSON, or the versions get too long", async () => {
    const id = await makePrompt("with faults");
    const fault = async (body: object) => (await server.send("POST", `${PATH}/${id}/versions`, { body })).body.errors;
    expect(await fault({ ...VERSION, workflow_body: { type: "JSON", value: "{" } })).toEqual([
      { property: "workflow_body.value", errorMessage: "must be JSON" },
    ]);
    const long = Array.from({ length: 5 }, () => ({ role: "user", content: "x".repeat(100_000) }));
    expect(await fault({ name: "Long", prompts: long })).toEqual([
      { property: "body", errorMessage: "makes the versions of the prompt longer than 500000 characters" },
    ]);
  });

  test("409: the prompt has a version of this name, or 50 versions", async () => {
    const id = await makePrompt("with many versions");
    const add = (name: string) => server.client.createPromptVersion({ path: { id }, body: { name } });
    for (let count = 1; count <= 50; count++) await add(`Version ${count}`);
    expect(await refusal(add("Version 7"))).toEqual(conflicting(`Prompt ${id} has a version Version 7 already.`, "name"));
    expect(await refusal(add("Version 51"))).toEqual(
      conflicting(`Prompt ${id} has 50 versions, which is the maximum. Delete a candidate first.`),
    );
  });
});

describe("patchPrompt", () => {
  test("200: changes the given fields, and keeps the others", async () => {
    const id = await makePrompt("to change");
    const before = (await server.client.getPrompt({ path: { id } })).data;
    const { data, message } = await server.client.patchPrompt({ path: { id }, body: { description: "New.", tags: ["a"] } });
    expect(message).toBe("Prompt updated successfully.");
    expect(data).toEqual({ ...before, description: "New.", tags: ["a"], lastModifiedTime: server.clock.now, version: 2 });
  });

  test("400: the prompt has no version with the id", async () => {
    const id = await makePrompt("without that version");
    expect((await refusal(server.client.patchPrompt({ path: { id }, body: { liveVersionID: "absent" } }))).errors).toEqual([
      { property: "liveVersionID", errorMessage: `is not a version of the prompt ${id}` },
    ]);
  });
});

describe("deletePromptVersion", () => {
  test("200 for a candidate, 409 for the live version, 404 for a missing one", async () => {
    const id = await makePrompt("to delete from");
    const add = async (name: string) => (await server.client.createPromptVersion({ path: { id }, body: { name } })).data;
    const first = await add("First");
    const second = await add("Second");
    await server.client.patchPrompt({ path: { id }, body: { liveVersionID: first.id } });
    const remove = (versionID: string) => server.client.deletePromptVersion({ path: { id, versionID } });
    expect(await refusal(remove(first.id))).toEqual(conflicting("Version First is live. Make another version live first.", "versionID"));
    const { data, message } = await remove(second.id);
    expect([message, data.versions]).toEqual(["Prompt version deleted successfully.", [first]]);
    expect(await refusal(remove(second.id))).toMatchObject({ status: 404, message: `Prompt version ${second.id} does not exist.` });
  });
});

describe("restorePromptVersion", () => {
  test("200: makes the version live again that was live then", async () => {
    const id = await makePrompt("to restore");
    const { data } = await server.client.createPromptVersion({ path: { id }, body: { name: "First" } });
    await server.client.patchPrompt({ path: { id }, body: { liveVersionID: data.id } });
    await server.client.patchPrompt({ path: { id }, body: { liveVersionID: null } });
    const restored = await server.client.restorePromptVersion({ path: { id, version: 3 } });
    expect(restored.data).toMatchObject({ liveVersionID: data.id, versions: [data], version: 5 });
  });
});
