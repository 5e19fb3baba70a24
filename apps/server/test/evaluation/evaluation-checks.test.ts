import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
let rules: Record<"gate" | "config" | "control" | "layer", string>;
beforeAll(async () => {
  server = await startServer({ trustedProxies: ["loopback", "10.0.0.0/8"] });
  const { client } = server;
  const conditions = [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@staff.example"] }];
  const staff = { name: "Staff", passPercentage: 100, conditions };
  const gate = await client.createGate({ body: { name: "for_staff", isEnabled: true, rules: [staff] } });
  const byBrowser = [{ type: "browser_name" as const, operator: "any" as const, targetValue: ["Firefox"] }];
  await client.createGate({
    body: { name: "for_firefox", isEnabled: true, rules: [{ name: "Firefox", passPercentage: 100, conditions: byBrowser }] },
  });
  const config = await client.createDynamicConfig({
    body: { name: "wording", isEnabled: true, defaultValue: { label: "Buy" }, rules: [{ ...staff, returnValue: { label: "Test" } }] },
  });
  const parameters = [{ name: "steps", type: "number" as const, defaultValue: 3 }];
  await client.createLayer({ body: { name: "checkout_page", idType: "userID", parameters } });
  const groups = [{ id: "one", name: "One page", size: 100, parameterValues: { steps: 1 } }];
  const experiment = await client.createExperiment({ body: { name: "one_page", layerID: "checkout_page", allocation: 100, groups } });
  await client.startExperiment({ path: { id: experiment.data.id }, body: {} });
  rules = { gate: gate.data.rules[0]?.id ?? "", config: config.data.rules[0]?.id ?? "", control: "one", layer: "one" };
  await waitFor(async () => expect((await post("get_layer", { layerName: "checkout_page" })).body.value).toEqual({ steps: 1 }));
});
afterAll(() => server.close());

const post = (name: string, body: object, key = server.key, headers: Record<string, string> = {}) =>
  server.send("POST", `/v1/${name}`, { body, key, headers });
const alice = { userID: "alice", email: "alice@staff.example", privateAttributes: { salary: 1 } };
const bob = { userID: "bob" };
const readEvents = async (eventName: string) => (await server.client.listEventValues({ path: { eventName }, query: { limit: 1000 } })).data;

describe("initializeClient", () => {
  test("200: every gate, config and layer for one user, with names hashed as requested", async () => {
    const { body } = await post("initialize", { user: alice, hash: "none" });
    expect(body).toMatchObject({
      has_updates: true,
      time: expect.any(Number),
      hash_used: "none",
      evaluated_keys: { userID: "alice" },
      derived_fields: {},
      sdkParams: {},
      full_checksum: expect.stringMatching(/^[\w-]{22}$/),
    });
    expect(body.user).toEqual({ userID: "alice", email: "alice@staff.example" });
    const named = [body.feature_gates, body.dynamic_configs, body.layer_configs].map((all) => Object.keys(all).toSorted());
    expect(named).toEqual([["for_firefox", "for_staff"], ["one_page", "wording"], ["checkout_page"]]);
    expect(body.feature_gates.for_staff).toEqual({
      name: "for_staff",
      value: true,
      rule_id: rules.gate,
      secondary_exposures: [],
      id_type: "userID",
    });
    expect(body.layer_configs.checkout_page).toMatchObject({ value: { steps: 1 }, allocated_experiment_name: "one_page" });
    expect(Object.keys((await post("initialize", { user: alice })).body.feature_gates)).not.toContain("for_staff");
  });

  test("200: evaluates by the address, browser and device of a browser SDK's request", async () => {
    const { key } = await makeKey(server, { type: "CLIENT" });
    const headers = {
      "X-Forwarded-For": "192.0.2.66, 203.0.113.7, 10.0.0.1",
      "User-Agent": "Mozilla/5.0 (X11; rv:128.0) Gecko/20100101 Firefox/128.0",
    };
    const { body } = await post("initialize", { user: bob, hash: "none", statsigMetadata: { stableID: "device" } }, key, headers);
    expect(body.feature_gates.for_firefox.value).toBe(true);
    expect(body).toMatchObject({
      evaluated_keys: { userID: "bob", customIDs: { stableID: "device" } },
      derived_fields: { ip: "203.0.113.7" },
      user: { userID: "bob", customIDs: { stableID: "device" } },
    });
  });

  test("200: `has_updates` is false only if the caller has the current response for the same user", async () => {
    const { time, full_checksum } = (await post("initialize", { user: alice })).body;
    const again = async (user: object, held: object) => (await post("initialize", { user, ...held })).body;
    expect(await again(alice, { sinceTime: time, full_checksum })).toEqual({ has_updates: false });
    expect(await again(alice, { sinceTime: time - 1, full_checksum })).toEqual({ has_updates: false });
    expect((await again(alice, { sinceTime: 0, full_checksum })).has_updates).toBe(true);
    expect((await again(alice, { sinceTime: time })).has_updates).toBe(true);
    expect((await again(bob, { sinceTime: time, full_checksum })).has_updates).toBe(true);
  });

  test("400: an unknown hash algorithm", async () => {
    expect((await post("initialize", { hash: "md5" })).body.errors).toEqual([
      { property: "hash", errorMessage: "must be equal to one of the allowed values: djb2, sha256, none, null" },
    ]);
  });
});

describe("checkGate", () => {
  test("200: returns whether the user passes, and the deciding rule", async () => {
    const { body } = await post("check_gate", { gateName: "for_staff", user: alice });
    expect(body).toEqual({ name: "for_staff", value: true, rule_id: rules.gate, group_name: "Staff" });
    expect((await post("check_gate", { gateName: "for_staff" })).body).toEqual({
      name: "for_staff",
      value: false,
      rule_id: "default",
      group_name: null,
    });
  });

  test("200: evaluates several gates by name; unknown gates are false", async () => {
    expect((await post("check_gate", { gateNames: ["for_staff", "nowhere"], user: alice })).body).toEqual({
      for_staff: { name: "for_staff", value: true, rule_id: rules.gate, group_name: "Staff" },
      nowhere: { name: "nowhere", value: false, rule_id: null, group_name: null },
    });
  });

  test("200: evaluates by the browser of a client key's request", async () => {
    const { key } = await makeKey(server, { type: "CLIENT" });
    const firefox = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" };
    const valueFor = async (secret: string) =>
      (await post("check_gate", { gateName: "for_firefox", user: bob }, secret, firefox)).body.value;
    expect([await valueFor(key), await valueFor(server.key)]).toEqual([true, false]);
  });

  test("400: neither or both of gateName and gateNames", async () => {
    const refused = [{ property: "gateName", errorMessage: "is required, or gateNames, but not both" }];
    expect((await post("check_gate", {})).body.errors).toEqual(refused);
    expect((await post("check_gate", { gateName: "a", gateNames: ["b"] })).body.errors).toEqual(refused);
    expect((await post("check_gate", { gateNames: [], user: "alice" })).body.errors).toEqual(
      expect.arrayContaining([{ property: "gateNames", errorMessage: "must NOT have fewer than 1 items" }]),
    );
  });
});

describe("getConfigValue", () => {
  test("200: the value of the matching rule, or the default value", async () => {
    expect((await post("get_config", { configName: "wording", user: alice })).body).toEqual({
      name: "wording",
      value: { label: "Test" },
      group: rules.config,
      rule_id: rules.config,
      group_name: "Staff",
    });
    expect((await post("get_config", { configName: "wording", user: bob })).body).toMatchObject({
      value: { label: "Buy" },
      rule_id: "default",
    });
  });

  test("200: an empty result if the config does not exist", async () => {
    const nothing = { name: "nowhere", value: {}, group: "", rule_id: null, group_name: null };
    expect((await post("get_config", { configName: "nowhere" })).body).toEqual(nothing);
  });
});

describe("getLayerValue", () => {
  test("200: every parameter, and the deciding experiment", async () => {
    const { body } = await post("get_layer", { layerName: "checkout_page", user: bob });
    expect(body).toEqual({ name: "checkout_page", value: { steps: 1 }, ruleID: expect.any(String), allocatedExperimentName: "one_page" });
  });
});

describe("exposures", () => {
  test("of single checks are logged once, without private attributes, unless the caller disables them", async () => {
    const user = { ...alice, userID: "exposed" };
    const statsigMetadata = { sdkType: "curl" };
    await post("check_gate", { gateName: "for_staff", user, statsigMetadata });
    await post("check_gate", { gateName: "for_staff", user, statsigMetadata });
    await post("check_gate", { gateName: "nowhere", user, statsigMetadata });
    await post("get_config", { configName: "wording", user, statsigMetadata });
    await post("get_layer", { layerName: "checkout_page", user, statsigMetadata });
    const silent = { user: { userID: "silent" }, statsigMetadata: { exposureLoggingDisabled: true } };
    await post("check_gate", { gateName: "for_staff", ...silent });
    await post("initialize", { user: { userID: "silent" } });
    const of = async (kind: string) => (await readEvents(`statsig::${kind}_exposure`)).filter(({ userID }) => userID === "exposed");
    await waitFor(async () =>
      expect((await Promise.all(["gate", "config", "layer"].map(of))).map(({ length }) => length)).toEqual([1, 1, 1]),
    );
    const [[gate], [layer]] = [await of("gate"), await of("layer")];
    expect(gate).toMatchObject({ source: "curl", metadata: { gate: "for_staff", gateValue: "true", ruleID: rules.gate } });
    expect(layer?.metadata).toMatchObject({ config: "checkout_page", allocatedExperiment: "one_page" });
    expect((await readEvents("statsig::gate_exposure")).filter(({ userID }) => userID === "silent")).toEqual([]);
  });
});

describe("logCustomExposure", () => {
  test("202: stores an application's exposures like those from SDKs", async () => {
    const exposures = [
      { user: { ...alice, userID: "custom" }, gateName: "for_staff", passes: true, group: "Staff", time: server.clock.now - 500 },
      { experimentName: "one_page", ruleID: "one" },
    ];
    expect(await post("log_custom_exposure", { user: { userID: "custom" }, exposures })).toMatchObject({
      status: 202,
      body: { message: "Events logged successfully.", success: true },
    });
    const shown = [...(await readEvents("statsig::gate_exposure")), ...(await readEvents("statsig::config_exposure"))];
    expect(shown.filter(({ userID }) => userID === "custom")).toEqual([
      expect.objectContaining({
        timestamp: String(server.clock.now - 500),
        metadata: { gate: "for_staff", gateValue: "true", ruleID: rules.gate, isManualExposure: "true" },
      }),
      expect.objectContaining({
        timestamp: String(server.clock.now),
        metadata: { config: "one_page", ruleID: "one", isManualExposure: "true" },
      }),
    ]);
  });

  test("400: names every violation, and stores nothing", async () => {
    expect((await post("log_custom_exposure", { exposures: [{ gateName: "for_staff" }, { colour: "red" }] })).body.errors).toEqual([
      { property: "exposures[1].colour", errorMessage: "is unknown" },
    ]);
    expect((await post("log_custom_exposure", { exposures: [{ gateName: "for_staff" }] })).body.errors).toEqual([
      { property: "exposures[0].passes", errorMessage: "is required for a gate" },
      { property: "exposures[0].ruleID", errorMessage: "is required unless group is given" },
    ]);
  });
});
