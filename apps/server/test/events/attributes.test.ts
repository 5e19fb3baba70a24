import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const list = async () => new Map((await server.client.listAttributes({ query: { limit: 1000 } })).data.map((one) => [one.id, one]));

describe("listAttributes", () => {
  test("has the attributes of recent users, of rules and of descriptions, without private ones", async () => {
    const user = { country: "NO", custom: { plan: "pro" }, privateAttributes: { secret: "hush" } };
    const exposure = (userID: string, name: string) => ({
      eventName: `statsig::${name}`,
      user: { ...user, userID },
      metadata: { gate: "new_checkout", gateValue: "true", config: "colors", ruleID: "r" },
    });
    const events = [
      exposure("a", "gate_exposure"),
      exposure("b", "config_exposure"),
      exposure("c", "layer_exposure"),
      exposure("a", "gate_exposure"),
    ];
    await server.evaluation.logEvent({ body: { events } });
    const conditions = [{ type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: ["team"] }];
    await server.client.createGate({ body: { name: "new_checkout", rules: [{ name: "Teams", passPercentage: 100, conditions }] } });
    await server.client.updateAttribute({ path: { id: "seats" }, body: { description: "Paid seats.", isHidden: false } });
    const attributes = await list();
    expect(attributes.get("plan")).toEqual({
      ...{ id: "plan", kind: "custom", description: "", isHidden: false, version: 0, createdTime: 0 },
      ...{ types: ["string"], userShare: 1, distinctValues: 1, rules: 1, lastSeenTime: server.clock.now },
      values: [
        { value: "pro", userShare: 1, rules: 0 },
        { value: "team", userShare: 0, rules: 1 },
      ],
    });
    expect(attributes.get("country")?.values).toEqual([{ value: "NO", userShare: 1, rules: 0 }]);
    expect(attributes.get("statsigEnvironment.tier")?.values).toEqual([{ value: "production", userShare: 1, rules: 0 }]);
    expect(attributes.get("seats")).toMatchObject({ description: "Paid seats.", userShare: 0, values: [] });
    expect(JSON.stringify([...attributes])).not.toMatch(/secret|hush/);
  });

  test("reads users of at most 16 MiB in all, the newest first", async () => {
    const see = (custom: object, customIDs = {}) => {
      server.clock.now += 1;
      const user = { userID: "long", customIDs, custom };
      return server.evaluation.logEvent({ body: { events: [{ eventName: "statsig::gate_exposure", user, metadata: { gate: "long" } }] } });
    };
    const longIDs = Object.fromEntries(Array.from({ length: 1_000 }, (_, number) => [`unit${number}`, "x".repeat(1_024)]));
    await see({ before: 1 });
    for (let number = 0; number < 16; number++) await see({ within: 1 }, longIDs);
    expect((await list()).has("before")).toBe(true);
    await see({ within: 1 }, longIDs);
    expect((await list()).has("before")).toBe(false);
    expect((await list()).has("within")).toBe(true);
  });

  test("pages through the names in order", async () => {
    const all = [...(await list()).keys()];
    expect(all).toEqual([...all].sort());
    const { data, pagination } = await server.client.listAttributes({ query: { limit: 2, page: 2 } });
    expect(data.map(({ id }) => id)).toEqual(all.slice(2, 4));
    expect(pagination.totalItems).toBe(all.length);
  });
});

describe("updateAttribute", () => {
  test("describes and hides an attribute, seen or not, and getAttribute returns it", async () => {
    const path = { id: "org/plan" };
    const undescribed = { id: "org/plan", description: "", isHidden: false, version: 0, createdTime: 0 };
    const before = await server.client.getAttribute({ path });
    expect(before.data).toEqual(undescribed);
    const { data } = await server.client.updateAttribute({
      path,
      body: { description: "The plan.", isHidden: true },
      ifMatch: before.etag ?? "",
    });
    expect(data).toEqual({ ...undescribed, description: "The plan.", isHidden: true, version: 1, createdTime: server.clock.now });
    expect((await server.client.getAttribute({ path })).data).toEqual(data);
    expect((await list()).get("org/plan")).toMatchObject({ isHidden: true, description: "The plan." });
  });

  test("removes it from the list when its description is emptied and nobody has it", async () => {
    const path = { id: "obsolete" };
    await server.client.updateAttribute({ path, body: { description: "Old.", isHidden: false } });
    expect((await list()).has("obsolete")).toBe(true);
    await server.client.updateAttribute({ path, body: { description: "", isHidden: false } });
    expect((await list()).has("obsolete")).toBe(false);
  });
});
