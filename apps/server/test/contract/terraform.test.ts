import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

// The Terraform provider sends every field, with "" for unset strings and a list of strings for every target value.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.client.createGate({ body: { name: "my_gate", rules: [{ name: "Ann", passPercentage: 100, conditions: [ANN] }] } });
});
afterAll(() => server.close());

const ANN = { type: "user_id" as const, operator: "any" as const, targetValue: ["ann"] };
const rule = (name: string, conditions: object[]) => ({ id: "", baseID: "", name, passPercentage: 100, environments: [], conditions });
const tested = (type: string, targetValue: string[], rest: object = {}) => ({
  type,
  operator: "",
  field: "",
  customID: "",
  targetValue,
  ...rest,
});

const passes = async (gateName: string, user: object) => {
  const answer = await server.send("POST", "/v1/check_gate", { body: { gateName, user } });
  return answer.body.value;
};

describe("a gate as the Terraform provider sends it", () => {
  test.each([
    ["public", tested("public", []), { userID: "x" }, undefined],
    ["passes_gate", tested("passes_gate", ["my_gate"]), { userID: "ann" }, { userID: "bob" }],
    ["version_gt", tested("app_version", ["1.1.1"], { operator: "version_gt" }), { appVersion: "1.2" }, { appVersion: "1.1.1" }],
    ["gt", tested("custom_field", ["31"], { operator: "gt", field: "age" }), { custom: { age: 32 } }, { custom: { age: 31 } }],
    ["time", tested("time", ["1"], { operator: "after" }), { userID: "x" }, undefined],
    [
      "environment_tier",
      tested("environment_tier", ["staging"]),
      { statsigEnvironment: { tier: "staging" } },
      { statsigEnvironment: { tier: "production" } },
    ],
  ])("with %s: is answered as it was sent, and evaluated as it was meant", async (name, condition, passing, failing) => {
    const sent = [rule("All", [condition])];
    const { status, body } = await server.send("POST", "/console/v1/gates", { body: { name: `terraform ${name}`, rules: sent } });
    expect(status).toBe(201);
    const id = expect.stringMatching(/^\w{22}$/);
    expect(body.data.rules).toEqual([{ ...sent[0], id, baseID: id }]);
    expect(body.data.rules[0].baseID).toBe(body.data.rules[0].id);
    await waitFor(async () => expect(await passes(body.data.id, passing)).toBe(true));
    if (failing) expect(await passes(body.data.id, failing)).toBe(false);
  });

  test("keeps its rule ids when it is planned and applied again", async () => {
    const { data } = await server.client.createGate({
      body: { name: "applied twice", rules: [rule("One", []), rule("Two", [])] as never },
    });
    const path = `/console/v1/gates/${data.id}`;
    const { isEnabled, description, rules } = data;
    const again = await server.send("POST", path, { body: { isEnabled, description, rules } });
    expect(again.body.data.rules).toEqual(rules);
    const patched = await server.send("PATCH", `${path}/rules/${rules[1]?.id}`, { body: { id: "", baseID: "", passPercentage: 10 } });
    expect(patched.body.data.rules).toEqual([rules[0], { ...rules[1], passPercentage: 10 }]);
    const unnamed = await server.send("PATCH", `${path}/rules`, { body: { rules: [{ id: "", passPercentage: 10 }] } });
    expect(unnamed).toMatchObject({
      status: 400,
      body: { errors: [{ property: "rules[0].id", errorMessage: "must be the id or baseID of an existing rule" }] },
    });
  });

  test("references the gate in its conditions, which must exist and cannot be deleted", async () => {
    const path = { id: "my_gate" };
    const { data } = await server.client.listGateGateReferences({ path });
    expect(data.map(({ id }) => id)).toContain("terraform_passes_gate");
    expect((await refusal(server.client.deleteGate({ path }))).status).toBe(409);
    const rules = [rule("Nowhere", [tested("passes_gate", ["nowhere"])])];
    expect(await server.send("POST", "/console/v1/gates", { body: { name: "of nowhere", rules } })).toMatchObject({
      status: 400,
      body: { errors: [{ property: "rules[0].conditions[0].targetValue" }] },
    });
  });
});

describe("a segment as the Terraform provider sends it", () => {
  test("accepts its rules as an object, and reports violations with their place in it", async () => {
    const { data } = await server.client.createSegment({ body: { name: "terraform segment", type: "rule_based" } });
    const path = `/console/v1/segments/${data.id}/conditional`;
    const rules = [rule("Adults", [tested("custom_field", ["17"], { operator: "gt", field: "age" })])];
    const answer = await server.send("POST", path, { body: { rules } });
    expect([answer.status, answer.body.data.rules]).toEqual([200, [{ ...rules[0], id: expect.any(String), baseID: expect.any(String) }]]);
    const refused = await server.send("POST", path, { body: { rules: [rule("All", [tested("public", [])])], more: 1 } });
    expect(refused.body.errors).toEqual([{ property: "more", errorMessage: "is unknown" }]);
    const asked = await server.send("POST", path, { body: { rules: [rule("All", [tested("public", [])])] } });
    expect(asked.body.errors).toMatchObject([{ property: "rules[0].conditions[0].type" }]);
  });
});

describe("environments as the Terraform provider sends them", () => {
  test("are new if their id is empty", async () => {
    const { data } = await server.client.getEnvironments({});
    const added = { id: "", name: "preview", isProduction: false, requiresReview: false, requiresReleasePipeline: false };
    const more = { ...added, name: "canary" };
    const updated = await server.client.updateEnvironments({ body: { environments: [...data.environments, added, more] } });
    const id = expect.stringMatching(/^\w{22}$/);
    expect(updated.data.environments).toEqual([...data.environments, { ...added, id }, { ...more, id }]);
  });
});
