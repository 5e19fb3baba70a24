import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const PATH = "/console/v1/dynamic_configs";
const STALE = '"9-zzz"';
const timeoutSchema = '{"type":"object","properties":{"timeout":{"type":"number"}}}';

const rule = (name: string, more: object = {}) => ({ name, passPercentage: 100, conditions: [], ...more });
const asks = (gate: string, type: "passes_gate" | "fails_gate" = "passes_gate") =>
  rule(`${type} ${gate}`, { conditions: [{ type, targetValue: gate }] });

async function make(name: string, more: object = {}) {
  return (await server.client.createDynamicConfig({ body: { name, ...more } })).data;
}

async function makeArchived(name: string, more: object = {}) {
  const { id } = await make(name, more);
  return (await server.client.archiveDynamicConfig({ path: { id } })).data;
}

const missing = { status: 404, code: "not_found", message: "Dynamic config nope does not exist.", errors: [] };
const archived = (id: string) => ({
  status: 409,
  code: "conflict",
  message: `Dynamic config ${id} is archived. Unarchive it first.`,
  errors: [],
});
const invalid = (...errors: [string, string][]) => ({
  status: 400,
  code: "invalid_request",
  message: "The request is not valid.",
  errors: errors.map(([property, errorMessage]) => ({ property, errorMessage })),
});

/** A write of an older version than the one that stands is refused, and changes nothing. */
async function expectStaleRefused(method: string, id: string, action = "", body?: object) {
  const answer = await server.send(method, `${PATH}/${id}${action}`, { body, headers: { "If-Match": STALE } });
  expect(answer.body).toEqual({
    status: 412,
    code: "precondition_failed",
    message: `The dynamic config ${id} is at version 1, which If-Match does not name. Read it again.`,
  });
  expect((await server.client.getDynamicConfig({ path: { id } })).data.version).toBe(1);
}

describe("createDynamicConfig", () => {
  test("201: a name is enough; the rest takes the defaults", async () => {
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

  test("201: everything that may be given is answered as given, with its twin", async () => {
    const given = {
      id: "given.id",
      name: "given",
      description: "d",
      idType: "stableID",
      isEnabled: false,
      tags: ["t"],
      targetApps: ["web"],
      team: "Core",
      teamID: "team_1",
      creatorID: "ada",
      creatorEmail: "ada@example.com",
      owner: { ownerID: "ada", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" },
      releasePipelineID: "pipeline",
      defaultValueJson5: "{ timeout: 1, /* ms */ }",
      schemaJson5: "{ properties: { timeout: { type: 'number' } } }",
    };
    const variants = [
      { id: "v1", name: "one", passPercentage: 40, returnValue: { timeout: 2 } },
      { id: "v2", name: "two", passPercentage: 60, returnValueJson5: "{ timeout: 3 }" },
    ];
    const data = await make("given", { ...given, rules: [rule("r", { id: "r1", returnValue: { timeout: 4 }, variants })] });
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

  test("400: every value that the schema does not allow is named, with the rule and the path", async () => {
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

  test("400: rules, twins and schema are checked together", async () => {
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
        ["defaultValueJson5", "must mean the same as defaultValue. Leave one of them out"],
        ["schema", expect.stringMatching(/^is not a valid JSON Schema: schema\/type must be equal to one of/) as unknown as string],
      ),
    );
  });

  test("400: without a default value, the empty one must satisfy the schema", async () => {
    const call = server.client.createDynamicConfig({ body: { name: "refused", schema: '{"required":["timeout"]}' } });
    expect(await refusal(call)).toEqual(invalid(["defaultValue.timeout", "is required (schema)"]));
  });

  test("409: a second dynamic config whose name makes the same id", async () => {
    await make("twice made");
    expect(await refusal(server.client.createDynamicConfig({ body: { name: "Twice  Made" } }))).toEqual({
      status: 409,
      code: "conflict",
      message: "Dynamic config twice_made already exists.",
      errors: [],
    });
  });
});

describe("getDynamicConfig", () => {
  test("200: as it was created", async () => {
    const config = await make("read");
    const { data, message } = await server.client.getDynamicConfig({ path: { id: "read" } });
    expect({ data, message }).toEqual({ data: config, message: "Dynamic config read successfully." });
  });
  test("304: the caller holds the version that stands", async () => {
    const { etag } = await server.client.createDynamicConfig({ body: { name: "held" } });
    const answer = await server.send("GET", `${PATH}/held`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
    expect(answer.headers.get("ETag")).toBe(etag);
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.getDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
});

describe("updateDynamicConfig", () => {
  const post = (id: string, body: object) => server.send("POST", `${PATH}/${id}`, { body });
  const full = {
    defaultValueJson5: "{ timeout: 1 } // ms",
    schemaJson5: "{ properties: { timeout: { type: 'number' } } } // s",
    owner: null,
    rules: [
      rule("r", {
        returnValueJson5: "{ timeout: 2 } // ms",
        variants: [{ name: "v", passPercentage: 100, returnValueJson5: "{ timeout: 3 } // ms" }],
      }),
    ],
  };

  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const config = await make("round trip", full);
    server.clock.now += 1000;
    const answer = await post(config.id, { ...config, description: "edited" });
    expect(answer.body).toEqual({
      message: "Dynamic config updated successfully.",
      data: { ...config, description: "edited", version: 2, lastModifiedTime: server.clock.now },
    });
  });

  test("200: an object edited in the body of a GET counts, and its text follows", async () => {
    const config = await make("edit objects", full);
    const [before] = config.rules as [any];
    const rules = [{ ...before, returnValue: { timeout: 5 }, variants: [{ ...before.variants[0], returnValue: { timeout: 6 } }] }];
    const schema = '{"properties":{"timeout":{"type":"integer"}}}';
    const { body } = await post(config.id, { ...config, defaultValue: { timeout: 4 }, rules, schema });
    expect(body.data).toMatchObject({
      defaultValue: { timeout: 4 },
      defaultValueJson5: '{"timeout":4}',
      schema,
      schemaJson5: schema,
      rules: [
        {
          returnValue: { timeout: 5 },
          returnValueJson5: '{"timeout":5}',
          variants: [{ returnValue: { timeout: 6 }, returnValueJson5: '{"timeout":6}' }],
        },
      ],
    });
  });

  test("200: a text edited in the body of a GET counts, and its object follows", async () => {
    const config = await make("edit texts", full);
    const rules = [{ ...config.rules[0], returnValueJson5: "{ timeout: 5 } // s" }];
    const { body } = await post(config.id, { ...config, defaultValueJson5: "{ timeout: 4 } // s", rules, schemaJson5: "{} // any" });
    expect(body.data).toMatchObject({
      defaultValue: { timeout: 4 },
      defaultValueJson5: "{ timeout: 4 } // s",
      schema: "{}",
      schemaJson5: "{} // any",
      rules: [{ returnValue: { timeout: 5 }, returnValueJson5: "{ timeout: 5 } // s" }],
    });
  });

  test("200: fields that are left out keep their value; a null schema clears its text", async () => {
    const config = await make("partly", { ...full, tags: ["kept"] });
    const { body } = await post(config.id, { isEnabled: false, description: "", rules: [], schema: null });
    expect(body.data).toMatchObject({
      status: "Disabled",
      tags: ["kept"],
      rules: [],
      defaultValue: { timeout: 1 },
      defaultValueJson5: "{ timeout: 1 } // ms",
      schema: null,
      schemaJson5: null,
      owner: null,
    });
  });

  test("400: an object and a text that were both edited and do not mean the same", async () => {
    const config = await make("contradiction", full);
    const rules = [{ ...config.rules[0], returnValue: { timeout: 5 }, returnValueJson5: "{ timeout: 6 }" }];
    const edits = { defaultValue: { timeout: 4 }, defaultValueJson5: "{ timeout: 7 }", schema: "{}", schemaJson5: "{ minProperties: 1 }" };
    const { body } = await post(config.id, { ...config, ...edits, rules });
    const { status, code, message, errors } = invalid(
      ["rules[0].returnValueJson5", "must mean the same as rules[0].returnValue. Leave one of them out"],
      ["defaultValueJson5", "must mean the same as defaultValue. Leave one of them out"],
      ["schemaJson5", "must mean the same as schema. Leave one of them out"],
    );
    expect(body).toEqual({ status, code, message, errors });
  });

  test("404: no such dynamic config", async () => {
    const body = { isEnabled: true, description: "", rules: [] };
    expect(await refusal(server.client.updateDynamicConfig({ path: { id: "nope" }, body }))).toEqual(missing);
  });
  test("409: it is archived", async () => {
    const { id } = await makeArchived("update archived");
    const body = { isEnabled: true, description: "", rules: [] };
    expect(await refusal(server.client.updateDynamicConfig({ path: { id }, body }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make("update stale");
    await expectStaleRefused("POST", id, "", { isEnabled: true, description: "", rules: [] });
  });
});

describe("patchDynamicConfig", () => {
  const patch = (id: string, body: object) => server.client.patchDynamicConfig({ path: { id }, body });

  test("200: only what is given changes", async () => {
    const config = await make("patched", { defaultValueJson5: "{ a: 1 } // one", rules: [rule("r")] });
    const owner = { ownerID: "ada", ownerType: "USER" as const, ownerName: "Ada", ownerEmail: "" };
    const { data, message } = await patch(config.id, { defaultValue: { a: 2 }, owner });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({
      ...config,
      defaultValue: { a: 2 },
      defaultValueJson5: '{"a":2}',
      owner,
      version: 2,
      lastModifiedTime: server.clock.now,
    });
  });

  test("200: a value and the schema that allows it may change together", async () => {
    const { id } = await make("together", { schema: timeoutSchema, defaultValue: { timeout: 1 } });
    const { data } = await patch(id, { schema: '{"properties":{"timeout":{"type":"string"}}}', defaultValue: { timeout: "1s" } });
    expect(data.defaultValue).toEqual({ timeout: "1s" });
  });

  test("400: a new schema must allow the values that stand", async () => {
    const { id } = await make("stand", { defaultValue: { timeout: "a" }, rules: [rule("r", { returnValue: { timeout: "b" } })] });
    expect(await refusal(patch(id, { schema: timeoutSchema }))).toEqual(
      invalid(["defaultValue.timeout", "must be number (schema)"], ["rules[0].returnValue.timeout", "must be number (schema)"]),
    );
  });

  test("400: new values must satisfy the schema that stands", async () => {
    const { id } = await make("satisfy", { schema: timeoutSchema });
    expect(await refusal(patch(id, { rules: [rule("r", { returnValue: { timeout: "b" } })] }))).toEqual(
      invalid(["rules[0].returnValue.timeout", "must be number (schema)"]),
    );
    expect(await refusal(patch(id, { defaultValueJson5: "{ timeout: null }" }))).toEqual(
      invalid(["defaultValue.timeout", "must be number (schema)"]),
    );
  });

  test("400: a schema that is not JSON5, is no JSON Schema, or takes too long", async () => {
    const { id } = await make("bad schema", { defaultValue: { a: `${"a".repeat(60)}b` } });
    expect(await refusal(patch(id, { schema: "{" }))).toEqual(invalid(["schema", "is not JSON5: invalid end of input at 1:2"]));
    expect(await refusal(patch(id, { schema: '{"$ref":"https://example.com/a.json"}' }))).toEqual(
      invalid(["schema", "is not a valid JSON Schema: can't resolve reference https://example.com/a.json from id #"]),
    );
    expect(await refusal(patch(id, { schema: '{"properties":{"a":{"pattern":"^(a+)+$"}}}' }))).toEqual(
      invalid(["schema", "takes too long to check. Simplify its patterns and references"]),
    );
  });

  test("404: no such dynamic config", async () => {
    expect(await refusal(patch("nope", { description: "x" }))).toEqual(missing);
  });
  test("409: it is archived", async () => {
    const { id } = await makeArchived("patch archived");
    expect(await refusal(patch(id, { description: "x" }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make("patch stale");
    await expectStaleRefused("PATCH", id, "", { description: "x" });
  });
});

describe("deleteDynamicConfig", () => {
  test("200: it is gone", async () => {
    const { id } = await make("deleted");
    const answer = await server.send("DELETE", `${PATH}/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { message: "Dynamic Config deleted successfully." } });
    expect((await server.send("GET", `${PATH}/${id}`)).status).toBe(404);
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.deleteDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make("delete stale");
    await expectStaleRefused("DELETE", id);
  });
});

describe.each([
  { operation: "enableDynamicConfig", action: "enable", isEnabled: true, status: "Enabled" },
  { operation: "disableDynamicConfig", action: "disable", isEnabled: false, status: "Disabled" },
] as const)("$operation", ({ operation, action, isEnabled, status }) => {
  test(`200: the status becomes ${status}`, async () => {
    const config = await make(`to ${action}`, { isEnabled: !isEnabled });
    const { data, message } = await server.client[operation]({ path: { id: config.id } });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({ ...config, isEnabled, status, version: 2 });
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client[operation]({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("409: it is archived", async () => {
    const { id } = await makeArchived(`${action} archived`);
    expect(await refusal(server.client[operation]({ path: { id } }))).toEqual(archived(id));
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make(`${action} stale`);
    await expectStaleRefused("PUT", id, `/${action}`);
  });
});

describe("archiveDynamicConfig", () => {
  test("200: the status becomes Archived, the rest is kept, and the reason is logged", async () => {
    const config = await make("to archive", { rules: [rule("r")] });
    const { data, message } = await server.client.archiveDynamicConfig({ path: { id: config.id }, body: { archiveReason: "unused" } });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({ ...config, status: "Archived", version: 2 });
    const changes = await server.database.prisma.change.findMany({
      where: { entityType: "dynamic_config", entityID: config.id },
      orderBy: { version: "asc" },
      select: { operationID: true, version: true, reason: true },
    });
    expect(changes).toEqual([
      { operationID: "createDynamicConfig", version: 1, reason: null },
      { operationID: "archiveDynamicConfig", version: 2, reason: "unused" },
    ]);
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.archiveDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make("archive stale");
    await expectStaleRefused("PUT", id, "/archive");
  });
});

describe("unarchiveDynamicConfig", () => {
  test.each([
    { isEnabled: true, status: "Enabled" },
    { isEnabled: false, status: "Disabled" },
  ])("200: it becomes $status if isEnabled was $isEnabled", async ({ isEnabled, status }) => {
    const config = await makeArchived(`to unarchive ${status}`, { isEnabled });
    const { data, message } = await server.client.unarchiveDynamicConfig({ path: { id: config.id }, body: { unarchiveReason: "again" } });
    expect(message).toBe("Dynamic config updated successfully.");
    expect(data).toEqual({ ...config, isEnabled, status, version: 3 });
  });
  test("200: one that is not archived keeps its status", async () => {
    const { id } = await make("not archived", { isEnabled: false });
    const { data } = await server.client.unarchiveDynamicConfig({ path: { id } });
    expect(data).toMatchObject({ status: "Disabled", version: 2 });
  });
  test("404: no such dynamic config", async () => {
    expect(await refusal(server.client.unarchiveDynamicConfig({ path: { id: "nope" } }))).toEqual(missing);
  });
  test("412: If-Match names another version", async () => {
    const { id } = await make("unarchive stale");
    await expectStaleRefused("PUT", id, "/unarchive");
  });
});

describe("listDynamicConfigs", () => {
  const ids = async (query: object) => (await server.client.listDynamicConfigs({ query })).data.map(({ id }) => id);

  test("200: newest first, those of one time by id, page by page", async () => {
    server.clock.now += 1000;
    await make("page b", { tags: ["paged"] });
    await make("page a", { tags: ["paged"] });
    server.clock.now += 1000;
    const newest = await make("page c", { tags: ["paged"] });
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

  test("200: each filter narrows the list; a null one does not", async () => {
    await make("filter one", { tags: ["x", "y"], creatorID: "ada", releasePipelineID: "pipe" });
    await make("filter two", { tags: ["x"], creatorID: "bob" });
    expect(await ids({ tags: ["x", "y"] })).toEqual(["filter_one"]);
    expect(await ids({ creatorID: "bob" })).toEqual(["filter_two"]);
    expect(await ids({ releasePipelineID: "pipe" })).toEqual(["filter_one"]);
    expect(await ids({ tags: ["x"], creatorName: "CONSOLE API" })).toEqual(["filter_one", "filter_two"]);
    expect(await ids({ tags: ["x"], creatorName: "nobody" })).toEqual([]);
    expect(await ids({ tags: ["x"], creatorID: null, creatorName: null, releasePipelineID: null })).toEqual(["filter_one", "filter_two"]);
  });

  test("200: archived ones only where asked for", async () => {
    await makeArchived("list archived", { tags: ["put away"] });
    expect(await ids({ tags: ["put away"] })).toEqual([]);
    expect(await ids({ tags: ["put away"], includeArchived: true })).toEqual(["list_archived"]);
  });
});

describe("listGateDynamicConfigReferences", () => {
  const list = (id: string, query: object = {}) => server.client.listGateDynamicConfigReferences({ path: { id }, query });

  test("200: those in use whose rules ask for the gate, newest first, page by page", async () => {
    await server.client.createGate({ body: { name: "asked" } });
    await server.client.createGate({ body: { name: "other" } });
    server.clock.now += 1000;
    const passes = await make("asks passes", { rules: [rule("no gate"), asks("asked")] });
    server.clock.now += 1000;
    const fails = await make("asks fails", { rules: [asks("asked", "fails_gate"), asks("asked"), asks("other")] });
    await make("asks other", { rules: [asks("other")] });
    await makeArchived("asks archived", { rules: [asks("asked")] });
    const path = "/console/v1/gates/asked/dynamic_config_references";
    expect(await list("asked", { limit: 1 })).toMatchObject({
      message: "Dynamic Configs listed successfully.",
      data: [fails],
      pagination: {
        itemsPerPage: 1,
        pageNumber: 1,
        totalItems: 2,
        nextPage: `${path}?page=2&limit=1`,
        previousPage: null,
        all: path,
      },
    });
    expect((await list("asked", { limit: 1, page: 2 })).data).toEqual([passes]);
    expect(await list("asked", { limit: 0 })).toMatchObject({
      data: [],
      pagination: { itemsPerPage: 0, totalItems: 2, nextPage: null, previousPage: null },
    });
  });

  test("200: a reference goes with the rule, and comes with it", async () => {
    await server.client.createGate({ body: { name: "followed" } });
    const { id } = await make("follows", { rules: [asks("followed")] });
    expect((await list("followed")).data).toHaveLength(1);
    await server.client.patchDynamicConfig({ path: { id }, body: { rules: [] } });
    expect((await list("followed")).data).toEqual([]);
    await server.client.patchDynamicConfig({ path: { id }, body: { rules: [asks("followed")] } });
    expect((await list("followed")).data.map((config) => config.id)).toEqual([id]);
  });

  test("400: a limit over 100", async () => {
    const answer = await server.send("GET", "/console/v1/gates/asked/dynamic_config_references?limit=101");
    expect(answer.body.errors).toEqual([{ property: "limit", errorMessage: "must be <= 100" }]);
  });

  test("404: no such gate", async () => {
    expect(await refusal(list("nope"))).toEqual({ status: 404, code: "not_found", message: "Gate nope does not exist.", errors: [] });
  });
});
