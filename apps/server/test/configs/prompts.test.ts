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

  test("400: names are 3 to 100 letters, digits, underscores, hyphens, periods and spaces, and descriptions at most 1000 characters", async () => {
    const properties = async (body: { name: string; displayName?: string; description?: string }) =>
      (await refusal(server.client.createPrompt({ body }))).errors.map((error) => (error as { property: string }).property);
    expect(await properties({ name: "ab", displayName: "x".repeat(101), description: "x".repeat(1001) })).toEqual(
      expect.arrayContaining(["name", "displayName", "description"]),
    );
    expect(await properties({ name: "a/b" })).toEqual(["name"]);
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
