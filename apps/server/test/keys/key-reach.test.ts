import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { insufficient, makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";

const EVERY_SCOPE = ["omni_read_write", "can_access_keys"] as ("omni_read_write" | "can_access_keys")[];

let server: TestServer;
/** The key of the requests of a test. */
let key: string;
beforeAll(async () => {
  server = await startServer();
  for (const name of ["iOS", "Watch"]) await server.client.createTargetApp({ body: { name } });
});
afterAll(() => server.close());

type Given = Parameters<typeof makeKey>[1];
const limitedTo = (given: Given) => makeKey(server, { type: "CONSOLE", scopes: EVERY_SCOPE, ...given });
const send = (method: string, path: string, body?: unknown) => server.send(method, `/console/v1/${path}`, { key, body });
async function fetchStatus(method: string, path: string, body?: unknown): Promise<number> {
  return (await send(method, path, body)).status;
}
/** The error for a write beyond the limits of the key. */
const beyond = (access: string, subject: string, limit = "the environment staging") =>
  insufficient(`access to ${access} to write ${subject}, but the key is limited to ${limit}`);

const everyone = { type: "public" as const };
const rule = (name: string, environments: string[] | null, passPercentage = 100) => ({
  name,
  environments,
  passPercentage,
  conditions: [everyone],
});

describe("a key that is limited to staging", () => {
  beforeEach(async () => {
    key = (await limitedTo({ environments: ["staging"] })).key;
    await server.send("DELETE", "/console/v1/gates/checkout?forceArchive=true");
    const rules = [rule("Testers", ["Staging"], 10), rule("Both", ["staging", "production"], 20), rule("All", null, 30)];
    await server.client.createGate({ body: { name: "checkout", rules } });
  });
  const gateRules = async () => (await server.client.getGate({ path: { id: "checkout" } })).data.rules;

  test("reads everything", async () => {
    expect(await fetchStatus("GET", "gates/checkout")).toBe(200);
    expect(await fetchStatus("GET", "keys")).toBe(200);
  });

  test("adds, changes and deletes the rules of staging, and takes staging out of a rule", async () => {
    const [testers, both, all] = await gateRules();
    expect(await fetchStatus("PATCH", `gates/checkout/rules/${testers?.id}`, { passPercentage: 50 })).toBe(200);
    expect(await fetchStatus("POST", "gates/checkout/rule", rule("Staff", ["staging"]))).toBe(200);
    expect(await fetchStatus("DELETE", `gates/checkout/rules/${testers?.id}`)).toBe(200);
    const rules = [{ ...both, environments: ["production"] }, all];
    expect(await fetchStatus("PATCH", "gates/checkout", { rules, description: "Not in staging.", tags: ["checkout"] })).toBe(200);
    expect((await gateRules()).map(({ name, environments }) => [name, environments])).toEqual([
      ["Both", ["production"]],
      ["All", null],
    ]);
  });

  test("disables and enables the rules of staging, and no rule that counts in other environments", async () => {
    const [testers, both, all] = await gateRules();
    const change = (one: typeof testers, isEnabled: boolean) => send("PATCH", `gates/checkout/rules/${one?.id}`, { isEnabled });
    expect((await change(testers, false)).status).toBe(200);
    expect((await gateRules())[0]).toEqual({ ...testers, isEnabled: false });
    expect((await change(testers, true)).status).toBe(200);
    expect((await change(both, false)).body).toEqual(beyond("the environment production", "gate checkout"));
    expect((await change(all, false)).body).toEqual(beyond("the environments development and production", "gate checkout"));
    await server.client.patchGateRule({ path: { id: "checkout", ruleID: both?.id ?? "" }, body: { isEnabled: false } });
    expect((await change(both, true)).body).toEqual(beyond("the environment production", "gate checkout"));
    expect((await send("DELETE", `gates/checkout/rules/${both?.id}`)).body).toEqual(beyond("the environment production", "gate checkout"));
    expect(await gateRules()).toEqual([testers, { ...both, isEnabled: false }, all]);
  });

  test("turns a gate on and off in staging, and in no other environment", async () => {
    const turn = (verb: string, environment: string) => send("PUT", `gates/checkout/${verb}?environment=${environment}`);
    expect((await turn("disable", "staging")).body.data.disabledEnvironments).toEqual(["staging"]);
    expect((await turn("disable", "production")).body).toEqual(beyond("the environment production", "gate checkout"));
    await server.client.disableGate({ path: { id: "checkout" }, query: { environment: "production" } });
    expect((await turn("enable", "production")).body).toEqual(beyond("the environment production", "gate checkout"));
    expect((await turn("enable", "staging")).body.data.disabledEnvironments).toEqual(["production"]);
  });

  test("cannot change, add, delete, reorder or schedule what production evaluates of a gate, and the error names the environments", async () => {
    const [testers, both, all] = await gateRules();
    const everywhere = beyond("the environments development and production", "gate checkout");
    const inProduction = beyond("the environment production", "gate checkout");
    const patch = (body: object) => send("PATCH", "gates/checkout", body);
    expect((await patch({ isEnabled: false })).body).toEqual(everywhere);
    expect((await patch({ rules: [testers, { ...both, passPercentage: 21 }, all] })).body).toEqual(inProduction);
    expect((await patch({ rules: [testers, all] })).body).toEqual(inProduction);
    expect((await patch({ rules: [testers, all, both] })).body).toEqual(inProduction);
    expect((await patch({ rules: [testers, both, { ...all, environments: ["staging"] }] })).body).toEqual(everywhere);
    const pendingAutomatedRollouts = [{ time: server.clock.now + 1000, passPercent: 100 }];
    expect((await patch({ rules: [testers, { ...both, pendingAutomatedRollouts }, all] })).body).toEqual(inProduction);
    expect((await send("PATCH", "gates/checkout?dryRun=true", { isEnabled: false })).body).toEqual(everywhere);
    expect((await send("PUT", "gates/checkout/launch")).body).toEqual(everywhere);
    expect((await send("DELETE", "gates/checkout")).body).toEqual(everywhere);
    expect((await send("POST", "gates", { name: "another" })).body).toEqual(
      beyond("the environments development and production", "gate another"),
    );
    expect(await gateRules()).toEqual([testers, both, all]);
  });

  test("adds rules of staging for segments, and none that depends on another gate", async () => {
    await server.client.createSegment({ body: { name: "testers", type: "rule_based" } }).catch(() => {});
    await server.client.createGate({ body: { name: "cart" } }).catch(() => {});
    const ofSegment = { ...rule("Testers of a segment", ["staging"]), conditions: [{ type: "passes_segment", targetValue: "testers" }] };
    const ofGate = { ...rule("Passes another", ["staging"]), conditions: [{ type: "passes_gate", targetValue: "cart" }] };
    expect(await fetchStatus("POST", "gates/checkout/rule", ofSegment)).toBe(200);
    expect((await send("POST", "gates/checkout/rule", ofGate)).body).toEqual(
      beyond("the environments development and production", "gate checkout"),
    );
  });

  test("cannot restore a version that production would evaluate differently", async () => {
    const { id = "" } = (await gateRules())[1] ?? {};
    await server.client.patchGateRule({ path: { id: "checkout", ruleID: id }, body: { passPercentage: 99 } });
    const refused = beyond("the environment production", "gate checkout");
    expect((await send("POST", "gates/checkout/versions/1/restore")).body).toEqual(refused);
  });

  test("overrides units in staging alone", async () => {
    const inStaging = { environmentOverrides: [{ environment: "staging", passingIDs: ["ann"], failingIDs: [] }] };
    expect(await fetchStatus("POST", "gates/checkout/overrides", inStaging)).toBe(201);
    await server.client.addGateOverrides({ path: { id: "checkout" }, body: { passingUserIDs: ["bob"] } });
    const refused = beyond("the environments development and production", "gate overrides checkout");
    expect((await send("PATCH", "gates/checkout/overrides", { failingUserIDs: ["ann"] })).body).toEqual(refused);
    expect((await send("POST", "gates/checkout/overrides", inStaging)).body).toEqual(refused);
    expect((await send("DELETE", "gates/checkout/overrides")).body).toEqual(refused);
    expect(await fetchStatus("DELETE", "gates/checkout/overrides", inStaging)).toBe(201);
  });

  test("runs an experiment in staging before its start, with overrides, and cannot start it", async () => {
    await server.client.createExperiment({ body: { name: "wording" } });
    expect(await fetchStatus("PATCH", "experiments/wording", { enabledNonProdEnvironments: ["staging"] })).toBe(200);
    const overrides = { userIDOverrides: [{ groupID: "Test", ids: ["ann"], environment: "staging" }], overrides: [] };
    expect(await fetchStatus("POST", "experiments/wording/overrides", overrides)).toBe(200);
    const everywhere = beyond("the environments development and production", "experiment wording");
    expect((await send("PUT", "experiments/wording/start")).body).toEqual(everywhere);
    const inDevelopment = { enabledNonProdEnvironments: ["staging", "development"] };
    expect((await send("PATCH", "experiments/wording", inDevelopment)).body).toEqual(
      beyond("the environment development", "experiment wording"),
    );
    // The first targeting rule would exclude everyone in other environments.
    const inlineTargetingRules = [rule("Staff", ["staging"])];
    expect((await send("PATCH", "experiments/wording", { inlineTargetingRules })).body).toEqual(everywhere);
  });

  test("cannot write what has no environments and is evaluated", async () => {
    await server.client.createSegment({ body: { name: "ids", type: "id_list" } });
    await server.client.addSegmentIDs({ path: { id: "ids" }, body: { ids: ["ann"] } });
    const list = beyond("the environments development and production", "segment ids");
    // The count stays the same.
    expect((await send("POST", "segments/ids/id_list/reset", { ids: ["bob"] })).body).toEqual(list);
    expect((await send("POST", "settings/teams", { require_teams_on_configs: true })).body).toEqual(
      beyond("every environment", "settings default"),
    );
    expect((await send("POST", "roles", { name: "Mine", permissions: {} })).body).toEqual(beyond("every environment", "role Mine"));
  });

  test("creates, renames and deletes tags, even tags of entities that production evaluates", async () => {
    await server.client.patchGate({ path: { id: "checkout" }, body: { tags: ["cart"] } });
    expect(await fetchStatus("PATCH", "tags/cart", { name: "basket" })).toBe(200);
    expect((await server.client.getGate({ path: { id: "checkout" } })).data.tags).toEqual(["basket"]);
  });

  test("makes and changes keys of staging alone, and cannot widen its own limits", async () => {
    const make = (given: object) => send("POST", "keys", { type: "SERVER", description: "", ...given });
    const refused = (access: string) => ({
      status: 403,
      code: "forbidden",
      message: expect.stringMatching(
        `This requires access to ${access} to write key \\w+, but the key is limited to the environment staging`,
      ),
    });
    const { data: made } = (await make({ environments: ["staging"] })).body;
    expect((await make({})).body).toEqual(refused("every environment"));
    expect((await make({ environments: ["staging", "production"] })).body).toEqual(refused("the environment production"));
    const widened = { environments: ["production"] };
    expect((await send("PATCH", `keys/${made.id}`, widened)).body).toEqual(refused("the environment production"));
    expect((await send("PATCH", `keys/${key}`, { environments: [] })).body).toEqual(refused("every environment"));
    const { id: wide } = await makeKey(server);
    for (const [method, path] of [
      ["PATCH", `keys/${wide}/rotate`],
      ["PATCH", `keys/${wide}/deactivate`],
      ["DELETE", `keys/${wide}`],
    ] as const) {
      expect((await send(method, path)).body).toEqual(refused("every environment"));
    }
    expect(await fetchStatus("PATCH", `keys/${made.id}/rotate`)).toBe(200);
    expect(await fetchStatus("DELETE", `keys/${made.id}`)).toBe(200);
  });
});

describe("a key that is limited to a target app", () => {
  const ofWatch = (access: string, subject: string) => beyond(access, subject, "the target app Watch");
  beforeEach(async () => {
    key = (await limitedTo({ targetAppID: "Watch" })).key;
  });

  test("writes what belongs to its apps alone, before and after", async () => {
    const { data: app } = await server.client.getTargetApp({ path: { id: "Watch" } });
    expect(await fetchStatus("POST", "gates", { name: "dial", targetApps: ["Watch"] })).toBe(201);
    expect(await fetchStatus("PATCH", "gates/dial", { targetApps: [app.id], isEnabled: false })).toBe(200);
    expect((await send("PATCH", "gates/dial", { targetApps: ["Watch", "iOS"] })).body).toEqual(ofWatch("the target app iOS", "gate dial"));
    expect((await send("PATCH", "gates/dial", { targetApps: [] })).body).toEqual(ofWatch("every target app", "gate dial"));
    await server.client.createGate({ body: { name: "shared", targetApps: ["Watch", "iOS"] } });
    expect((await send("DELETE", "gates/shared")).body).toEqual(ofWatch("the target app iOS", "gate shared"));
    expect((await send("POST", "gates", { name: "for all" })).body).toEqual(ofWatch("every target app", "gate for_all"));
  });

  test("overrides units of what belongs to its apps alone", async () => {
    await server.client.createGate({ body: { name: "face", targetApps: ["Watch"] } });
    await server.client.createGate({ body: { name: "phone", targetApps: ["iOS"] } });
    expect(await fetchStatus("POST", "gates/face/overrides", { passingUserIDs: ["ann"] })).toBe(201);
    expect((await send("POST", "gates/phone/overrides", { passingUserIDs: ["ann"] })).body).toEqual(
      ofWatch("the target app iOS", "gate overrides phone"),
    );
    expect(await fetchStatus("DELETE", "gates/face")).toBe(200);
  });

  test("makes no holdout that holds entities of other apps", async () => {
    await server.client.createGate({ body: { name: "hand", targetApps: ["Watch"] } });
    const make = (given: object) => send("POST", "holdouts", { name: "Kept back", targetApps: ["Watch"], ...given });
    expect((await make({ isGlobal: true })).body).toEqual(ofWatch("every target app", "holdout kept_back"));
    expect((await make({ gateIDs: ["phone"] })).body).toEqual(ofWatch("the target app iOS", "gate phone"));
    expect((await make({ gateIDs: ["hand"] })).status).toBe(200);
  });

  test("cannot rename a tag that another app's entity has", async () => {
    await server.client.createGate({ body: { name: "tagged", targetApps: ["iOS"], tags: ["seasonal"] } });
    expect((await send("PATCH", "tags/seasonal", { name: "winter" })).body).toEqual(ofWatch("the target app iOS", "gate tagged"));
  });

  test("describes its own app and makes no other", async () => {
    expect(await fetchStatus("PATCH", "target_app/Watch", { description: "On the wrist." })).toBe(200);
    expect((await send("POST", "target_app", { name: "TV" })).body).toEqual(ofWatch("the target app TV", "target app TV"));
  });

  test("makes keys for its apps alone", async () => {
    expect(await fetchStatus("POST", "keys", { type: "CLIENT", description: "", targetAppID: "Watch" })).toBe(200);
    expect(await fetchStatus("POST", "keys", { type: "CLIENT", description: "", targetAppID: "iOS" })).toBe(403);
    expect(await fetchStatus("POST", "keys", { type: "CLIENT", description: "" })).toBe(403);
  });
});
