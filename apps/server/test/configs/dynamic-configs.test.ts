import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { make, makeArchived, missing, PATH, rule, timeoutSchema } from "../support/dynamic-configs.ts";
import { conflicting, invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { makeTeam } from "../support/teams.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function makePipeline(): Promise<string> {
  return (await server.client.createReleasePipeline({ body: { name: "Staff first" } })).data.id;
}

describe("createDynamicConfig", () => {
  test("201: a rule without a percentage returns its value to all units that match", async () => {
    const rule = { name: "staff", conditions: [], returnValue: { color: "blue" } };
    const { data } = await server.client.createDynamicConfig({ body: { name: "rules without percentages", rules: [rule] } });
    expect(data.rules.map(({ passPercentage }) => passPercentage)).toEqual([100]);
    const patched = await server.client.patchDynamicConfig({
      path: { id: data.id },
      body: {
        rules: [
          { ...rule, passPercentage: 50 },
          { ...rule, name: "rest" },
        ],
      },
    });
    expect(patched.data.rules.map(({ passPercentage }) => passPercentage)).toEqual([50, 100]);
  });

  test("201: isTemplate is set at creation and kept until it is changed", async () => {
    const { data } = await server.client.createDynamicConfig({ body: { name: "a template", isTemplate: true } });
    expect(data.isTemplate).toBe(true);
    const path = { id: data.id };
    expect((await server.client.patchDynamicConfig({ path, body: { description: "kept" } })).data.isTemplate).toBe(true);
    expect((await server.client.patchDynamicConfig({ path, body: { isTemplate: false } })).data.isTemplate).toBe(false);
  });

  test("201: only the name is required; the rest has defaults", async () => {
    const { data, message, etag } = await server.client.createDynamicConfig({ body: { name: "Checkout Settings" } });
    expect(message).toBe("Dynamic Config created successfully.");
    expect(etag).toBe(`"1-${(1_763_700_000_000).toString(36)}"`);
    expect(data).toEqual({
      id: "checkout_settings",
      name: "Checkout Settings",
      description: "",
      idType: "userID",
      isEnabled: true,
      status: "Enabled",
      rules: [],
      defaultValue: {},
      defaultValueJson5: "{}",
      schema: null,
      schemaJson5: null,
      tags: [],
      targetApps: [],
      holdoutIDs: [],
      team: null,
      teamID: null,
      checksPerHour: 0,
      releasePipelineID: null,
      isTemplate: false,
      creatorID: expect.stringMatching(/^key_/),
      creatorName: "CONSOLE API",
      creatorEmail: null,
      createdTime: 1_763_700_000_000,
      lastModifierID: expect.stringMatching(/^key_/),
      lastModifierName: "CONSOLE API",
      lastModifierEmail: null,
      lastModifiedTime: 1_763_700_000_000,
      version: 1,
    });
  });

  test("201: returns every field as given, and derives the text from each object and vice versa", async () => {
    const releasePipelineID = await makePipeline();
    const given = {
      id: "given.id",
      name: "given",
      description: "d",
      idType: "stableID",
      isEnabled: false,
      tags: ["t"],
      targetApps: ["web"],
      team: "Core",
      teamID: await makeTeam(server),
      creatorID: "ada",
      creatorEmail: "ada@example.com",
      owner: { ownerID: "ada", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" },
      releasePipelineID,
      defaultValueJson5: "{ timeout: 1, /* ms */ }",
      schemaJson5: "{ properties: { timeout: { type: 'number' } } }",
    };
    const variants = [
      { id: "v1", name: "one", passPercentage: 40, returnValue: { timeout: 2 } },
      { id: "v2", name: "two", passPercentage: 60, returnValueJson5: "{ timeout: 3 }" },
    ];
    const data = await make(server, "given", { ...given, rules: [rule("r", { id: "r1", returnValue: { timeout: 4 }, variants })] });
    expect(data).toMatchObject({
      ...given,
      status: "Disabled",
      defaultValue: { timeout: 1 },
      schema: '{"properties":{"timeout":{"type":"number"}}}',
      rules: [
        {
          ...rule("r"),
          id: "r1",
          baseID: "r1",
          environments: null,
          returnValue: { timeout: 4 },
          returnValueJson5: '{"timeout":4}',
          variants: [
            { ...variants[0], returnValueJson5: '{"timeout":2}' },
            { ...variants[1], returnValue: { timeout: 3 } },
          ],
        },
      ],
    });
  });

  test("400: names every value that violates the schema, with the rule and the path", async () => {
    const body = {
      name: "refused",
      schema: timeoutSchema,
      defaultValue: { timeout: "a" },
      rules: [
        rule("fits", { returnValue: { timeout: 1 } }),
        rule("does not", {
          returnValueJson5: "{ timeout: 'b' }",
          variants: [{ name: "v", passPercentage: 100, returnValue: { timeout: "c" } }],
        }),
      ],
    };
    expect(await refusal(server.client.createDynamicConfig({ body }))).toEqual(
      invalid(
        ["defaultValue.timeout", "must be number (schema)"],
        ["rules[1].returnValue.timeout", "must be number (schema)"],
        ["rules[1].variants[0].returnValue.timeout", "must be number (schema)"],
      ),
    );
  });

  test("400: reports violations of rules, of object and text, and of the schema together", async () => {
    const body = {
      name: "refused",
      schema: "{ type: 'strin' }",
      defaultValue: { a: 1 },
      defaultValueJson5: "{ a: 2 }",
      rules: [rule("same"), rule("same", { returnValueJson5: "{" })],
    };
    expect(await refusal(server.client.createDynamicConfig({ body }))).toEqual(
      invalid(
        ["rules[1].name", "must be unique in rules, but same is given twice"],
        ["rules[1].returnValueJson5", "is not JSON5: invalid end of input at 1:2"],
        ["defaultValueJson5", "must mean the same as defaultValue. Omit one of them"],
        ["schema", expect.stringMatching(/^is not a valid JSON Schema: schema\/type must be equal to one of/) as unknown as string],
      ),
    );
  });

  test("400: the empty default value must satisfy the schema too", async () => {
    const call = server.client.createDynamicConfig({ body: { name: "refused", schema: '{"required":["timeout"]}' } });
    expect(await refusal(call)).toEqual(invalid(["defaultValue.timeout", "is required (schema)"]));
  });

  test("409: a dynamic config with the same id exists", async () => {
    await make(server, "twice made");
    expect(await refusal(server.client.createDynamicConfig({ body: { name: "Twice  Made" } }))).toEqual(
      conflicting("Dynamic config twice_made already exists."),
    );
  });
});

describe("getDynamicConfig", () => {
  test("200: returns the dynamic config as created", async () => {
    const config = await make(server, "read");
    const { data, message } = await server.client.getDynamicConfig({ path: { id: "read" } });
    expect({ data, message }).toEqual({ data: config, message: "Dynamic config read successfully." });
  });
  test("304: the caller has the current version", async () => {
    const { etag } = await server.client.createDynamicConfig({ body: { name: "held" } });
    const answer = await server.send("GET", `${PATH}/held`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
    expect(answer.headers.get("ETag")).toBe(etag);
  });
  test("404: the dynamic config does not exist", async () => {
    expect(await refusal(server.client.getDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
});

describe("listDynamicConfigs", () => {
  const ids = async (query: object) => (await server.client.listDynamicConfigs({ query })).data.map(({ id }) => id);

  test("200: newest first, then by id, in pages", async () => {
    server.clock.now += 1000;
    await make(server, "page b", { tags: ["paged"] });
    await make(server, "page a", { tags: ["paged"] });
    server.clock.now += 1000;
    const newest = await make(server, "page c", { tags: ["paged"] });
    expect(await server.client.listDynamicConfigs({ query: { tags: ["paged"], limit: 1 } })).toMatchObject({
      message: "Dynamic Configs listed successfully.",
      data: [newest],
      pagination: {
        itemsPerPage: 1,
        pageNumber: 1,
        totalItems: 3,
        nextPage: `${PATH}?tags=paged&page=2&limit=1`,
        previousPage: null,
        all: PATH,
      },
    });
    expect(await ids({ tags: ["paged"] })).toEqual(["page_c", "page_a", "page_b"]);
    expect(await ids({ tags: ["paged"], limit: 1, page: 2 })).toEqual(["page_a"]);
  });

  test("200: each filter narrows the list; null does not", async () => {
    const releasePipelineID = await makePipeline();
    await make(server, "filter one", { tags: ["x", "y"], creatorID: "ada", releasePipelineID });
    await make(server, "filter two", { tags: ["x"], creatorID: "bob", idType: "deviceID", targetApps: ["shop", "web"] });
    expect(await ids({ tags: ["x", "y"] })).toEqual(["filter_one"]);
    expect(await ids({ creatorID: "bob" })).toEqual(["filter_two"]);
    expect(await ids({ releasePipelineID })).toEqual(["filter_one"]);
    expect(await ids({ idType: ["deviceID"] })).toEqual(["filter_two"]);
    expect(await ids({ tags: ["x"], idType: ["deviceID", "userID"] })).toEqual(["filter_one", "filter_two"]);
    expect(await ids({ tags: ["x"], targetAppID: "web" })).toEqual(["filter_two"]);
    expect(await ids({ tags: ["x"], creatorName: "CONSOLE API" })).toEqual(["filter_one", "filter_two"]);
    expect(await ids({ tags: ["x"], creatorName: "nobody" })).toEqual([]);
    expect(await ids({ tags: ["x"], creatorID: null, creatorName: null, releasePipelineID: null })).toEqual(["filter_one", "filter_two"]);
  });

  test("200: includes archived dynamic configs only on request", async () => {
    await makeArchived(server, "list archived", { tags: ["put away"] });
    expect(await ids({ tags: ["put away"] })).toEqual([]);
    expect(await ids({ tags: ["put away"], includeArchived: true })).toEqual(["list_archived"]);
  });
});
