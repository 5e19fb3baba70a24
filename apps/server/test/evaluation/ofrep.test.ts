import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { evaluate, evaluateAll, untilSeen } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ trustedProxies: ["127.0.0.1"] });
});
afterAll(() => server.close());

const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@staff.example"] }],
};
const alice = { targetingKey: "alice", email: "alice@staff.example" };
const bob = { targetingKey: "bob" };

async function makeGate(name: string, body: object = {}) {
  const { data } = await server.client.createGate({ body: { name, isEnabled: true, ...body } });
  await untilSeen(server, name);
  return data;
}

const answerTo = async (flag: string, context: object) => (await evaluate(server, flag, { ...context })).body;

describe("evaluateFlag", () => {
  test("200: a gate is true for users who pass a rule, and names the rule", async () => {
    const { rules } = await makeGate("for_staff", { rules: [staff] });
    const { status, headers, body } = await evaluate(server, "for_staff", alice);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toMatch(/^application\/json/);
    expect(body).toEqual({
      key: "for_staff",
      value: true,
      reason: "TARGETING_MATCH",
      variant: "Staff",
      metadata: { kind: "gate", ruleID: rules[0]?.id, version: 1 },
    });
  });

  test("200: a gate is false by the rule `default` if no rule matches", async () => {
    await makeGate("not_for_bob", { rules: [staff] });
    expect(await answerTo("not_for_bob", bob)).toEqual({
      key: "not_for_bob",
      value: false,
      reason: "TARGETING_MATCH",
      variant: "default",
      metadata: { kind: "gate", ruleID: "default", version: 1 },
    });
  });

  test("200: the reason is STATIC if all users get the same value, and SPLIT if units are divided", async () => {
    await makeGate("no_rules");
    await makeGate("everyone", { rules: [{ name: "All", passPercentage: 100, conditions: [] }] });
    await makeGate("half", { rules: [{ name: "Half", passPercentage: 50, conditions: [] }] });
    expect(await answerTo("no_rules", bob)).toMatchObject({ value: false, reason: "STATIC" });
    expect(await answerTo("everyone", bob)).toMatchObject({ value: true, reason: "STATIC" });
    const halves = await Promise.all(Array.from({ length: 50 }, (_, index) => answerTo("half", { targetingKey: `user ${index}` })));
    expect(new Set(halves.map(({ reason }) => reason))).toEqual(new Set(["SPLIT"]));
    expect(new Set(halves.map(({ value }) => value))).toEqual(new Set([true, false]));
  });

  test("200: a disabled flag has its default value and the reason DISABLED", async () => {
    await makeGate("off", { isEnabled: false, rules: [staff] });
    await server.client.createDynamicConfig({ body: { name: "off_config", isEnabled: false, defaultValue: { steps: 3 } } });
    await untilSeen(server, "off_config");
    expect(await answerTo("off", alice)).toMatchObject({ value: false, reason: "DISABLED", variant: "disabled" });
    expect(await answerTo("off_config", alice)).toMatchObject({ value: { steps: 3 }, reason: "DISABLED", variant: "disabled" });
  });

  test("200: a dynamic config is an object", async () => {
    const rules = [{ ...staff, returnValue: { steps: 1 } }];
    const { data } = await server.client.createDynamicConfig({ body: { name: "checkout", defaultValue: { steps: 3 }, rules } });
    await untilSeen(server, "checkout");
    expect(await answerTo("checkout", alice)).toEqual({
      key: "checkout",
      value: { steps: 1 },
      reason: "TARGETING_MATCH",
      variant: "Staff",
      metadata: { kind: "dynamic_config", ruleID: data.rules[0]?.id, version: 1 },
    });
    expect(await answerTo("checkout", bob)).toMatchObject({ value: { steps: 3 } });
  });

  test("200: an experiment's variant is the group", async () => {
    const groups = [
      { id: "control", name: "Control", size: 50, parameterValues: { label: "Buy" } },
      { id: "test", name: "Test", size: 50, parameterValues: { label: "Buy now" } },
    ];
    await server.client.createExperiment({ body: { name: "wording", allocation: 100, groups, status: "active" } });
    await untilSeen(server, "wording");
    const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => answerTo("wording", { targetingKey: `user ${index}` })));
    const seen = new Set(
      answers.map(({ value, reason, variant, metadata }) => JSON.stringify([value.label, reason, variant, metadata.kind])),
    );
    expect(seen).toEqual(new Set(['["Buy","SPLIT","Control","experiment"]', '["Buy now","SPLIT","Test","experiment"]']));
  });

  test("200: a layer has the values of the unit's experiment, and names it", async () => {
    const parameters = [
      { name: "label", type: "string" as const, defaultValue: "Buy" },
      { name: "steps", type: "number" as const, defaultValue: 3 },
    ];
    await server.client.createLayer({ body: { name: "page", idType: "userID", parameters } });
    await untilSeen(server, "page");
    expect(await answerTo("page", bob)).toMatchObject({ value: { label: "Buy", steps: 3 }, metadata: { kind: "layer" } });
    const groups = [{ id: "only", name: "Only", size: 100, parameterValues: { steps: 1 } }];
    await server.client.createExperiment({ body: { name: "one_step", layerID: "page", allocation: 100, groups, status: "active" } });
    await waitFor(async () =>
      expect(await answerTo("page", bob)).toMatchObject({
        key: "page",
        value: { label: "Buy", steps: 1 },
        reason: "SPLIT",
        variant: "Only",
        metadata: { kind: "layer", allocatedExperiment: "one_step" },
      }),
    );
  });

  test("200: a param store has its values by name, without a variant", async () => {
    await makeGate("coupon_gate", { rules: [staff] });
    const parameters = [
      { name: "coupons", ref_type: "gate" as const, param_type: "number" as const, gate_name: "coupon_gate", pass_value: 2, fail_value: 0 },
    ];
    await server.client.createParamStore({ body: { name: "cart", parameters } });
    await untilSeen(server, "cart");
    expect(await answerTo("cart", alice)).toEqual({
      key: "cart",
      value: { coupons: 2 },
      reason: "TARGETING_MATCH",
      metadata: { kind: "param_store" },
    });
  });

  test("200: a gate takes precedence over a config with the same name", async () => {
    await server.client.createDynamicConfig({ body: { name: "twice" } });
    await makeGate("twice");
    // The server receives the config first, so it is the flag until the gate arrives.
    await waitFor(async () => expect(await answerTo("twice", bob)).toMatchObject({ value: false, metadata: { kind: "gate" } }));
  });

  test("200: any attribute or custom field can be the unit", async () => {
    await server.client.createUnitIDType({ body: { name: "companyID" } });
    const isPro = { type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: ["pro"] };
    await makeGate("by_company", { idType: "companyID", rules: [{ name: "Pro", passPercentage: 50, conditions: [isPro] }] });
    const values = async (key: (index: number) => string, company: (index: number) => string) => {
      const contexts = Array.from({ length: 30 }, (_, index) => ({ targetingKey: key(index), companyID: company(index), plan: "pro" }));
      return new Set(await Promise.all(contexts.map(async (context) => (await answerTo("by_company", context)).value)));
    };
    expect(
      (
        await values(
          (index) => `user ${index}`,
          () => "acme",
        )
      ).size,
    ).toBe(1);
    expect(
      (
        await values(
          () => "alice",
          (index) => `company ${index}`,
        )
      ).size,
    ).toBe(2);
  });

  test("200: the request's own address and browser are evaluated only for a client key", async () => {
    const fromThere = { type: "ip_address" as const, operator: "any" as const, targetValue: ["203.0.113.7"] };
    await makeGate("by_address", { rules: [{ name: "There", passPercentage: 100, conditions: [fromThere] }] });
    const [client, serverKey] = [await makeKey(server, { type: "CLIENT" }), await makeKey(server, { type: "SERVER" })];
    const headers = { "X-Forwarded-For": "203.0.113.7" };
    const asked = async (key: string, context: object) =>
      (await evaluate(server, "by_address", { ...bob, ...context }, { key, headers })).body;
    expect(await asked(client.key, {})).toMatchObject({ value: true });
    expect(await asked(client.key, { ip: "192.0.2.1" })).toMatchObject({ value: false });
    expect(await asked(serverKey.key, {})).toMatchObject({ value: false });
    expect(await asked(serverKey.key, { ip: "203.0.113.7" })).toMatchObject({ value: true });
  });

  test("200: an address from an untrusted proxy is ignored, and logged once", async () => {
    const direct = await server.replica(undefined, { trustedProxies: [] });
    const fromThere = { type: "ip_address" as const, operator: "any" as const, targetValue: ["203.0.113.7"] };
    await makeGate("by_forged_address", { rules: [{ name: "There", passPercentage: 100, conditions: [fromThere] }] });
    const { key } = await makeKey(server, { type: "CLIENT" });
    const headers = { "X-Forwarded-For": "203.0.113.7" };
    await untilSeen(direct, "by_forged_address");
    const asked = async (at: TestServer) => (await evaluate(at, "by_forged_address", bob, { key, headers })).body.value;
    expect([await asked(server), await asked(direct), await asked(direct)]).toEqual([true, false, false]);
    const warnings = (at: TestServer) =>
      at.logged.filter((line) => line.includes("GATEHOUSE_TRUSTED_PROXIES")).map((line) => JSON.parse(line));
    expect(warnings(direct)).toEqual([expect.objectContaining({ level: 40, peer: "127.0.0.1" })]);
    expect(warnings(server)).toEqual([]);
    await direct.close();
  });

  test("200: the key is accepted as Authorization: Bearer or as X-API-Key", async () => {
    await makeGate("keyed");
    const { key } = await makeKey(server, { type: "CLIENT" });
    const presented: Record<string, string>[] = [{ Authorization: `Bearer ${key}` }, { "X-API-Key": key }];
    for (const headers of presented) {
      const { status } = await evaluate(server, "keyed", bob, { key: null, headers });
      expect(status).toBe(200);
    }
  });

  test.each(["nope", "a%20b/c", "a%2Fb", "segment:staff_only"])("404: %s is not a flag", async (flag) => {
    await server.client.createSegment({ body: { name: "staff_only", type: "rule_based" } }).catch(() => {});
    const key = decodeURIComponent(flag);
    const { status, body } = await evaluate(server, flag, bob);
    expect(status).toBe(404);
    expect(body).toEqual({ key, errorCode: "FLAG_NOT_FOUND", errorDetails: `Flag ${key} does not exist.` });
  });

  test.each([
    [{ context: {} }, "TARGETING_KEY_MISSING", "context.targetingKey is required."],
    [{}, "INVALID_CONTEXT", "context is required."],
    [{ context: [] }, "INVALID_CONTEXT", "context must be object."],
    [{ context: "alice" }, "INVALID_CONTEXT", "context must be object."],
    [{ context: { targetingKey: 7 } }, "INVALID_CONTEXT", "context.targetingKey must be string."],
    [{ context: { targetingKey: "alice", customIDs: "acme" } }, "INVALID_CONTEXT", "context.customIDs must be object or null."],
    [[], "PARSE_ERROR", "body must be object."],
  ])("400: rejects %j", async (sent, errorCode, errorDetails) => {
    const { status, body } = await server.send("POST", "/ofrep/v1/evaluate/flags/any", { body: sent });
    expect({ status, ...body }).toEqual({ status: 400, key: "any", errorCode, errorDetails });
  });

  test("400: a body that is not JSON is a PARSE_ERROR", async () => {
    const { status, body } = await server.send("POST", "/ofrep/v1/evaluate/flags/any", { rawBody: "{" });
    expect(status).toBe(400);
    expect(body).toMatchObject({ key: "any", errorCode: "PARSE_ERROR" });
  });

  test("401: without a key", async () => {
    const { status, body } = await evaluate(server, "any", bob, { key: null });
    expect(status).toBe(401);
    expect(body).toEqual({
      key: "any",
      errorCode: "GENERAL",
      errorDetails: "An active key is needed, as Authorization: Bearer or X-API-Key.",
    });
  });
});

describe("the exposures of evaluateFlag", () => {
  const allExposures = async (kind = "gate"): Promise<string[]> => {
    const { body } = await server.send("GET", `/console/v1/events/statsig::${kind}_exposure`);
    return (body.data ?? []).map((event: object) => JSON.stringify(event));
  };
  const exposures = async (flag: string) => {
    const texts = await allExposures();
    return texts.filter((text) => text.includes(`"${flag}"`) && text.includes('"alice"'));
  };

  test("are logged once for repeated evaluations, without private attributes", async () => {
    const { rules } = await makeGate("exposed", { rules: [staff] });
    const context = { ...alice, privateAttributes: { salary: "a secret sum" } };
    for (let count = 0; count < 5; count += 1) await evaluate(server, "exposed", context);
    await waitFor(async () => expect(await exposures("exposed")).toHaveLength(1));
    const [event] = await exposures("exposed");
    expect(event).not.toContain("a secret sum");
    expect(event).toContain(rules[0]?.id);
  });

  test("are not logged by a bulk evaluation", async () => {
    await makeGate("kept_only", { rules: [staff] });
    await evaluateAll(server, alice);
    await makeGate("asked_for", { rules: [staff] });
    await evaluate(server, "asked_for", alice);
    await waitFor(async () => expect(await exposures("asked_for")).toHaveLength(1));
    expect(await exposures("kept_only")).toEqual([]);
  });

  test("are not logged for a param store", async () => {
    const parameters = [{ name: "max", ref_type: "static" as const, param_type: "number" as const, value: 9 }];
    await server.client.createParamStore({ body: { name: "not_exposed", parameters } });
    await untilSeen(server, "not_exposed");
    expect(await answerTo("not_exposed", alice)).toMatchObject({ value: { max: 9 } });
    await makeGate("asked_after", { rules: [staff] });
    await evaluate(server, "asked_after", alice);
    await waitFor(async () => expect(await exposures("asked_after")).toHaveLength(1));
    const all = await Promise.all(["gate", "config", "layer"].map((kind) => allExposures(kind)));
    expect(all.flat().filter((text) => text.includes("not_exposed"))).toEqual([]);
  });
});
