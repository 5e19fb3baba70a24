import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "./support/server.ts";

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
  test("201: a name is enough; the rest takes the defaults", async () => {
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

  test("201: a rule given with name, passPercentage and conditions is echoed with environments null", async () => {
    const { data } = await server.client.createGate({ body: { name: "echo", rules: [staff] } });
    expect(data.rules).toEqual([{ ...staff, environments: null, id: expect.stringMatching(/^\w{22}$/), baseID: data.rules[0]?.id }]);
  });

  test("409: a second gate whose name makes the same id", async () => {
    await server.client.createGate({ body: { name: "twice made" } });
    expect(await refusal(server.client.createGate({ body: { name: "Twice  Made" } }))).toEqual({
      status: 409,
      code: "conflict",
      message: "Gate twice_made already exists.",
      errors: [],
    });
  });

  test("400: every violation is named with its place", async () => {
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
        { property: "name", errorMessage: expect.stringContaining("must match pattern") },
        { property: "descripton", errorMessage: "is not known here. Did you mean description?" },
        { property: "isEnabled", errorMessage: "must be boolean" },
        { property: "rules[0].passPercentage", errorMessage: "must be <= 100" },
        { property: "rules[0].conditions[0].type", errorMessage: expect.stringContaining("must be equal to one of the allowed values") },
        { property: "rules[0].conditions[0].operatr", errorMessage: "is not known here. Did you mean operator?" },
      ]),
    });
    expect(answer.body.errors).toHaveLength(6);
  });
});

describe("updateGate", () => {
  test("200: the body of a GET can be edited and sent back without loss", async () => {
    const { data: gate } = await server.client.createGate({ body: { name: "round trip", rules: [staff], tags: ["a"] } });
    server.clock.now += 1000;
    const answer = await server.send("POST", `/console/v1/gates/${gate.id}`, { body: { ...gate, description: "edited" } });
    expect(answer.body.data).toEqual({ ...gate, description: "edited", version: 2, lastModifiedTime: server.clock.now });
  });
});

describe("getGate", () => {
  test("304: the caller holds the version that stands", async () => {
    const { data, etag } = await server.client.createGate({ body: { name: "held" } });
    const answer = await server.send("GET", `/console/v1/gates/${data.id}`, { headers: { "If-None-Match": etag ?? "" } });
    expect(answer.status).toBe(304);
    expect(answer.headers.get("ETag")).toBe(etag);
  });
  test("404: no such gate", async () => {
    expect(await refusal(server.client.getGate({ path: { id: "nope" } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Gate nope does not exist.",
      errors: [],
    });
  });
});

describe("listGates", () => {
  test("200: pages", async () => {
    const { data, pagination } = await server.client.listGates({ query: { limit: 2, tags: ["a"] } });
    expect(data.map((gate) => gate.id)).toEqual(["round_trip"]);
    expect(pagination).toEqual({
      itemsPerPage: 2,
      pageNumber: 1,
      totalItems: 1,
      nextPage: null,
      previousPage: null,
      all: "/console/v1/gates",
    });
  });
});
