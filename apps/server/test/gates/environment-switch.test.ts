import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyone } from "../support/evaluated-entities.ts";
import { makeKey } from "../support/keys.ts";
import { evaluate } from "../support/ofrep.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

// `disabledEnvironments` of gates and dynamic configs. The differential test compares their evaluation by every SDK, and key-reach tests limited keys.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const makeGate = async (name: string, given: object = {}) =>
  (await server.client.createGate({ body: { name, isEnabled: true, rules: [everyone], ...given } })).data;
const unknown = (name: string, property: string) => invalid([property, `references environment ${name}, which does not exist`]);

describe("disabledEnvironments", () => {
  test("turn a gate and a dynamic config off there for every key, as if they were disabled, even for users in an override", async () => {
    const { id } = await makeGate("off in staging");
    await server.client.updateGateOverrides({ path: { id }, body: { passingUserIDs: ["bob"], failingUserIDs: [] } });
    const rules = [{ ...everyone, returnValue: { size: 2 } }];
    const { data: config } = await server.client.createDynamicConfig({
      body: { name: "sized by environment", defaultValue: { size: 1 }, rules, disabledEnvironments: ["staging"] },
    });
    await server.client.patchGate({ path: { id }, body: { disabledEnvironments: ["staging"] } });
    const keyOf = async (...environments: string[]) => (await makeKey(server, { environments })).key;
    const [all, staging, production] = [server.key, await keyOf("staging"), await keyOf("production")];
    const expectFlags = async (key: string, tier: string, isOn: boolean) => {
      const user = { userID: "bob", statsigEnvironment: { tier } };
      const { body } = await server.send("POST", "/v1/initialize", { key, body: { user, hash: "none" } });
      const off = { rule_id: "disabled" };
      expect(body.feature_gates[id]).toMatchObject(isOn ? { value: true } : { value: false, ...off });
      expect(body.dynamic_configs[config.id]).toMatchObject(isOn ? { value: { size: 2 } } : { value: { size: 1 }, ...off });
    };
    await waitFor(async () => {
      for (const [key, tier, isOn] of [
        [all, "staging", false],
        [all, "STAGING", false],
        [all, "production", true],
        [staging, "staging", false],
        [production, "production", true],
      ] as const)
        await expectFlags(key, tier, isOn);
    });
    const { body } = await evaluate(server, id, { targetingKey: "bob" }, { key: staging });
    expect(body).toMatchObject({ value: false, reason: "DISABLED", variant: "disabled" });
  });

  test("are the reason in a preview, which lists no rule for it", async () => {
    const { id } = await makeGate("explained switch", { disabledEnvironments: ["production"] });
    const result = async (environment: string) => {
      const { data } = await server.client.evaluateUsers({
        body: { users: [{ userID: "a" }], environment, entities: [{ type: "gate", id }] },
      });
      const { value, reason, rules } = data[0]?.results[0] ?? {};
      return { value, reason, rules: rules?.map(({ name }) => name) };
    };
    expect(await result("production")).toEqual({ value: false, reason: "DISABLED", rules: [] });
    expect(await result("staging")).toMatchObject({ value: true, rules: [everyone.name] });
  });

  test("are returned only if they list one, are set by each operation, and are restored with a version", async () => {
    const { id, ...made } = await makeGate("switched in turn", { disabledEnvironments: [] });
    expect(made).not.toHaveProperty("disabledEnvironments");
    const path = { id };
    const off = await server.client.disableGate({ path, query: { environment: "staging" } });
    expect(off.data).toMatchObject({ isEnabled: true, status: "In Progress", disabledEnvironments: ["staging"], version: 2 });
    const both = await server.client.patchGate({ path, body: { disabledEnvironments: ["production", "staging"] } });
    expect(both.data.disabledEnvironments).toEqual(["production", "staging"]);
    await server.client.enableGate({ path, query: { environment: "staging" } });
    const on = await server.client.enableGate({ path, query: { environment: "production" } });
    expect(on.data).not.toHaveProperty("disabledEnvironments");
    const restored = await server.client.restoreGateVersion({ path: { id, version: 2 } });
    expect(restored.data.disabledEnvironments).toEqual(["staging"]);
  });

  test("are switched by the operations on dynamic configs too", async () => {
    const { data } = await server.client.createDynamicConfig({ body: { name: "switched config" } });
    const path = { id: data.id };
    const query = { environment: "staging" };
    expect((await server.client.disableDynamicConfig({ path, query })).data).toMatchObject({
      ...{ isEnabled: true, status: "Enabled", disabledEnvironments: ["staging"] },
    });
    expect((await server.client.enableDynamicConfig({ path, query })).data).not.toHaveProperty("disabledEnvironments");
    expect(await refusal(server.client.patchDynamicConfig({ path, body: { disabledEnvironments: ["mars"] } }))).toEqual(
      unknown("mars", "disabledEnvironments[0]"),
    );
  });

  test("are environments of the project, each named once", async () => {
    const { id } = await makeGate("known environments");
    const path = { id };
    const patch = (...disabledEnvironments: string[]) => refusal(server.client.patchGate({ path, body: { disabledEnvironments } }));
    expect(await patch("staging", "mars")).toEqual(unknown("mars", "disabledEnvironments[1]"));
    expect(await patch("staging", "staging")).toMatchObject({ status: 400, errors: [{ property: "disabledEnvironments" }] });
    for (const turn of [server.client.disableGate, server.client.enableGate])
      expect(await refusal(turn({ path, query: { environment: "mars" } }))).toEqual(unknown("mars", "environment"));
  });

  test("keep their environments from being renamed and removed, unless the entity is archived", async () => {
    const { data: before } = await server.client.getEnvironments();
    const added = { name: "canary", isProduction: false, requiresReview: false, requiresReleasePipeline: false };
    await server.client.updateEnvironments({ body: { environments: [...before.environments, added] } });
    const { id } = await makeGate("off in canary", { disabledEnvironments: ["canary"] });
    const remove = () => server.client.updateEnvironments({ body: { environments: before.environments } });
    expect(await refusal(remove())).toMatchObject({
      status: 409,
      message: `Environment canary cannot be removed or renamed: it is referenced by gate ${id}.`,
    });
    await server.client.archiveGate({ path: { id } });
    await remove();
    expect(await refusal(server.client.unarchiveGate({ path: { id } }))).toEqual(unknown("canary", "disabledEnvironments[0]"));
  });
});

describe("onIn and offIn", () => {
  test("list the gates that are on or off in an environment, archived ones only on request", async () => {
    const tags = ["switch filter"];
    const make = async (name: string, given: object = {}) => (await makeGate(name, { tags, ...given })).id;
    const everywhere = await make("on everywhere");
    const launched = await make("launched");
    await server.client.launchGate({ path: { id: launched } });
    const inProduction = await make("on in production", { disabledEnvironments: ["staging"] });
    const inStaging = await make("on in staging", { disabledEnvironments: ["production", "development"] });
    const disabled = await make("off", { isEnabled: false });
    const archived = await make("archived");
    await server.client.archiveGate({ path: { id: archived } });
    const listed = async (query: object) => {
      const { data, pagination } = await server.client.listGates({ query: { ...query, tags, sort: "name" } });
      expect(pagination.totalItems).toBe(data.length);
      return data.map(({ id }) => id);
    };
    expect(await listed({ onIn: "production" })).toEqual([launched, everywhere, inProduction]);
    expect(await listed({ offIn: "production" })).toEqual([disabled, inStaging]);
    expect(await listed({ offIn: "production", includeArchived: true })).toEqual([archived, disabled, inStaging]);
    expect(await listed({ onIn: "staging", offIn: "production" })).toEqual([inStaging]);
    expect(await listed({ onIn: "production", status: ["Launched"] })).toEqual([launched]);
    await server.client.enableGate({ path: { id: inStaging }, query: { environment: "production" } });
    expect(await listed({ offIn: "production" })).toEqual([disabled]);
  });

  test("list nothing if the project has no such environment", async () => {
    await makeGate("on everywhere else");
    const total = async (query: object) => (await server.client.listGates({ query })).pagination.totalItems;
    expect([await total({ onIn: "mars" }), await total({ offIn: "mars" }), await total({ onIn: "production", offIn: "mars" })]).toEqual([
      0, 0, 0,
    ]);
  });
});
