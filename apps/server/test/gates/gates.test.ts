import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conflicting, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@example.com"] }],
};

describe("createGate", () => {
  test("201: only the name is required; the rest has defaults", async () => {
    const { data, message, etag } = await server.client.createGate({ body: { name: "New Checkout" } });
    expect(message).toBe("Gate created successfully.");
    expect(etag).toBe(`"1-${(1_763_700_000_000).toString(36)}"`);
    expect(data).toEqual({
      id: "new_checkout",
      name: "New Checkout",
      description: "",
      idType: "userID",
      isEnabled: true,
      status: "In Progress",
      type: "TEMPORARY",
      typeReason: "NONE",
      rules: [],
      tags: [],
      targetApps: [],
      holdoutIDs: [],
      team: null,
      teamID: null,
      checksPerHour: 0,
      measureMetricLifts: true,
      monitoringMetrics: [],
      reviewSettings: { requiredReview: false, allowedReviewers: [] },
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

  test("201: isTemplate is set at creation and kept until it is changed", async () => {
    const { data } = await server.client.createGate({ body: { name: "a template", isTemplate: true } });
    expect(data.isTemplate).toBe(true);
    const path = { id: data.id };
    expect((await server.client.patchGate({ path, body: { description: "kept" } })).data.isTemplate).toBe(true);
    expect((await server.client.patchGate({ path, body: { isTemplate: false } })).data.isTemplate).toBe(false);
  });

  test("201: returns environments null for a rule with only name, passPercentage and conditions", async () => {
    const { data } = await server.client.createGate({ body: { name: "echo", rules: [staff] } });
    expect(data.rules).toEqual([{ ...staff, environments: null, id: expect.stringMatching(/^\w{22}$/), baseID: data.rules[0]?.id }]);
  });

  test("409: a gate with the same id exists", async () => {
    await server.client.createGate({ body: { name: "twice made" } });
    expect(await refusal(server.client.createGate({ body: { name: "Twice  Made" } }))).toEqual(
      conflicting("Gate twice_made already exists."),
    );
  });

  test("400: names every violation with its place", async () => {
    const answer = await server.send("POST", "/console/v1/gates", {
      body: {
        name: "a/b",
        descripton: "x",
        isEnabled: "yes",
        rules: [{ name: "r", passPercentage: 101, conditions: [{ type: "emial", operatr: "any" }] }],
      },
    });
    expect(answer.body).toEqual({
      status: 400,
      code: "invalid_request",
      message: "The request is not valid.",
      errors: expect.arrayContaining([
        { property: "name", errorMessage: expect.stringMatching(/^must have only letters from a to z, digits/) },
        { property: "descripton", errorMessage: "is unknown. Did you mean description?" },
        { property: "isEnabled", errorMessage: "must be boolean" },
        { property: "rules[0].passPercentage", errorMessage: "must be <= 100" },
        { property: "rules[0].conditions[0].type", errorMessage: expect.stringContaining("must be equal to one of the allowed values") },
        { property: "rules[0].conditions[0].operatr", errorMessage: "is unknown. Did you mean operator?" },
      ]),
    });
    expect(answer.body.errors).toHaveLength(6);
  });
});

describe("listGates", () => {
  test("200: newest first, filtered, with the total and links that keep the filters", async () => {
    const make = async (name: string, body: object) => {
      server.clock.now += 1;
      return (await server.client.createGate({ body: { name, ...body } })).data.id;
    };
    const { data: pipeline } = await server.client.createReleasePipeline({ body: { name: "phases" } });
    await make("list one", { tags: ["listed", "blue"], releasePipelineID: pipeline.id });
    await make("list two", { tags: ["listed"], creatorID: "ann" });
    await make("list three", { tags: ["listed", "blue"] });
    const list = async (query: object) => (await server.client.listGates({ query })).data.map(({ id }) => id);
    expect(await list({ tags: ["listed"] })).toEqual(["list_three", "list_two", "list_one"]);
    expect(await list({ tags: ["listed", "blue"] })).toEqual(["list_three", "list_one"]);
    expect(await list({ tags: ["listed"], creatorID: "ann" })).toEqual(["list_two"]);
    expect(await list({ releasePipelineID: pipeline.id })).toEqual(["list_one"]);
    expect(await list({ tags: ["listed"], creatorName: "nobody" })).toEqual([]);
    const { data: team } = await server.client.createTeam({ body: { name: "Listers" } });
    await make("list of the team by id", { teamID: team.id });
    await server.client.archiveGate({ path: { id: await make("list of the team shelved", { teamID: team.id }) } });
    expect(await list({ teamID: team.id })).toEqual(["list_of_the_team_by_id"]);
    expect((await list({ teamID: team.id, includeArchived: true })).length).toBe(2);
    expect(await list({ teamID: "nope" })).toEqual([]);
    const { data, pagination } = await server.client.listGates({ query: { tags: ["listed", "blue"], limit: 1, page: 2 } });
    expect(data.map(({ id }) => id)).toEqual(["list_one"]);
    expect(pagination).toEqual({
      itemsPerPage: 1,
      pageNumber: 2,
      totalItems: 2,
      nextPage: null,
      previousPage: "/console/v1/gates?tags=listed&tags=blue&page=1&limit=1",
      all: "/console/v1/gates",
    });
  });

  test("200: omits archived gates unless requested", async () => {
    const { data } = await server.client.createGate({ body: { name: "shelved", tags: ["shelf"] } });
    await server.client.archiveGate({ path: { id: data.id } });
    expect((await server.client.listGates({ query: { tags: ["shelf"] } })).pagination.totalItems).toBe(0);
    expect((await server.client.listGates({ query: { tags: ["shelf"], includeArchived: true } })).pagination.totalItems).toBe(1);
  });

  test("200: a page has 100 gates by default, and at most 1000", async () => {
    expect((await server.client.listGates()).pagination.itemsPerPage).toBe(100);
    expect((await server.client.listGates({ query: { limit: 1000 } })).pagination.itemsPerPage).toBe(1000);
    expect((await refusal(server.client.listGates({ query: { limit: 1001 } }))).errors).toEqual([
      { property: "limit", errorMessage: "must be <= 1000" },
    ]);
  });
});

describe("getGate", () => {
  test("200: returns the gate with its ETag, even if it is archived", async () => {
    const { data } = await server.client.createGate({ body: { name: "read me" } });
    const archived = await server.client.archiveGate({ path: { id: data.id } });
    expect(await server.client.getGate({ path: { id: data.id } })).toEqual({ ...archived, message: "Gate read successfully." });
  });
});

describe("updateGate", () => {
  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "round trip", rules: [staff], tags: ["a"], team: "core" } });
    server.clock.now += 1000;
    const answer = await server.send("POST", `/console/v1/gates/${gate.id}`, { body: { ...gate, description: "edited" } });
    expect(answer.body.data).toEqual({ ...gate, description: "edited", version: 2, lastModifiedTime: server.clock.now });
  });

  test("200: replaces all rules; a rule that keeps its id keeps its baseID", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "new rules", rules: [staff, { ...staff, name: "Others" }] } });
    const [first] = gate.rules;
    const rules = [{ ...staff, id: first?.id ?? "", passPercentage: 50.01 }];
    const body = { isEnabled: true, description: "", rules };
    const { data } = await server.client.updateGate({ path: { id: gate.id }, body });
    expect(data.rules).toEqual([{ ...first, passPercentage: 50.01 }]);
  });

  test("400: isEnabled, description and rules are required", async () => {
    const { data } = await server.client.createGate({ body: { name: "incomplete" } });
    const { body } = await server.send("POST", `/console/v1/gates/${data.id}`, { body: {} });
    expect(body.errors).toEqual(["isEnabled", "description", "rules"].map((property) => ({ property, errorMessage: "is required" })));
  });

  test("400: the description has at most 1000 characters and the name 3 to 100", async () => {
    const { data } = await server.client.createGate({ body: { name: "bounded" } });
    const body = { isEnabled: true, description: "x".repeat(1001), rules: [], name: "ab" };
    expect((await refusal(server.client.updateGate({ path: { id: data.id }, body }))).errors).toEqual([
      { property: "name", errorMessage: "must NOT have fewer than 3 characters" },
      { property: "description", errorMessage: "must NOT have more than 1000 characters" },
    ]);
  });

  test("400: names what each condition's operator requires, with its place", async () => {
    const { data } = await server.client.createGate({ body: { name: "conditions" } });
    const rules = [
      staff,
      {
        name: "Staff",
        passPercentage: 0.005,
        conditions: [
          { type: "user_id" as const, operator: "any" as const, targetValue: "one" },
          { type: "custom_field" as const, operator: "gt" as const, targetValue: ["1", "2"] },
          { type: "passes_segment" as const, operator: "any" as const, targetValue: 5 },
        ],
      },
    ];
    const body = { isEnabled: true, description: "", rules };
    expect((await refusal(server.client.updateGate({ path: { id: data.id }, body }))).errors).toEqual([
      { property: "rules[1].name", errorMessage: "must be unique in rules, but Staff is given twice" },
      { property: "rules[1].passPercentage", errorMessage: "must be in steps of 0.01" },
      { property: "rules[1].conditions[1].field", errorMessage: "is required with type custom_field" },
      { property: "rules[1].conditions[1].targetValue", errorMessage: "must be a number with operator gt" },
      { property: "rules[1].conditions[2].operator", errorMessage: "must be left out with type passes_segment" },
      { property: "rules[1].conditions[2].targetValue", errorMessage: "must be one string with type passes_segment" },
    ]);
  });
});

describe("patchGate", () => {
  test("200: changes only the given fields", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "patched", rules: [staff], tags: ["a"] } });
    const { data } = await server.client.patchGate({ path: { id: gate.id }, body: { isEnabled: false } });
    expect(data).toEqual({ ...gate, isEnabled: false, status: "Disabled", version: 2, lastModifiedTime: server.clock.now });
  });
});

describe("deleteGate", () => {
  test("200: deletes the gate and frees its id", async () => {
    const { data } = await server.client.createGate({ body: { name: "short lived" } });
    expect(await server.client.deleteGate({ path: { id: data.id } })).toEqual({ message: "Gate deleted successfully." });
    expect((await refusal(server.client.getGate({ path: { id: data.id } }))).status).toBe(404);
    expect((await server.client.createGate({ body: { name: "short lived" } })).data.version).toBe(1);
  });
});

describe("enableGate, disableGate and launchGate", () => {
  test("200: set status and isEnabled together", async () => {
    const { data } = await server.client.createGate({ body: { name: "switched" } });
    const request = { path: { id: data.id } };
    const state = ({ data }: { data: { status: string; isEnabled: boolean } }) => [data.status, data.isEnabled];
    expect(state(await server.client.disableGate(request))).toEqual(["Disabled", false]);
    expect(state(await server.client.launchGate(request))).toEqual(["Launched", true]);
    expect(state(await server.client.enableGate(request))).toEqual(["In Progress", true]);
  });
});

describe("archiveGate and unarchiveGate", () => {
  test("200: an archived gate rejects changes; unarchiving restores whether it was enabled", async () => {
    const { data } = await server.client.createGate({ body: { name: "archived", rules: [staff] } });
    const path = { id: data.id };
    await server.client.disableGate({ path });
    const archived = await server.client.archiveGate({ path, body: { archiveReason: "no longer used" } });
    expect([archived.data.status, archived.data.isEnabled, archived.data.rules]).toEqual(["Archived", false, data.rules]);
    const body = { isEnabled: true, description: "", rules: [] };
    const refused = [
      () => server.client.updateGate({ path, body }),
      () => server.client.patchGate({ path, body: { description: "x" } }),
      () => server.client.enableGate({ path }),
      () => server.client.disableGate({ path }),
      () => server.client.launchGate({ path }),
    ];
    for (const call of refused) {
      expect(await refusal(call())).toMatchObject({
        status: 409,
        code: "conflict",
        message: "Gate archived is archived. Unarchive it first.",
      });
    }
    expect((await server.client.unarchiveGate({ path })).data.status).toBe("Disabled");
  });

  test("200: unarchiving sets In Progress on a gate that was enabled", async () => {
    const { data } = await server.client.createGate({ body: { name: "returned" } });
    const path = { id: data.id };
    await server.client.archiveGate({ path });
    const { data: returned, message } = await server.client.unarchiveGate({ path, body: { unarchiveReason: "needed again" } });
    expect([message, returned.status, returned.isEnabled]).toEqual(["Gate updated successfully.", "In Progress", true]);
  });
});
