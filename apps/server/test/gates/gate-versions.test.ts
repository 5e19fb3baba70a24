import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const rules = [{ name: "Everyone", passPercentage: 10, conditions: [] }];

describe("listGateVersions", () => {
  test("200: every version as a complete gate, newest first, since the gate's creation", async () => {
    const path = { id: "lived_twice" };
    await server.client.createGate({ body: { name: "Lived twice" } });
    await server.client.deleteGate({ path });
    const { data: first } = await server.client.createGate({ body: { name: "Lived twice" } });
    const { data: second } = await server.client.patchGate({ path, body: { rules } });
    const { data, pagination } = await server.client.listGateVersions({ path });
    expect(data).toEqual([second, first]);
    expect(pagination).toMatchObject({ totalItems: 2, all: "/console/v1/gates/lived_twice/versions" });
  });

  test("404: the gate does not exist", async () => {
    expect((await refusal(server.client.listGateVersions({ path: { id: "nowhere" } }))).message).toBe("Gate nowhere does not exist.");
  });
});

describe("restoreGateVersion", () => {
  test("200: creates a new version that equals the old one, including its status", async () => {
    const { data: first } = await server.client.createGate({ body: { name: "restored", rules, tags: ["a"] } });
    const path = { id: first.id };
    await server.client.patchGate({ path, body: { rules: [], tags: [], description: "changed" } });
    await server.client.archiveGate({ path });
    server.clock.now += 1000;
    const { data, message } = await server.client.restoreGateVersion({ path: { ...path, version: 1 } });
    expect(message).toBe("Gate version 1 restored successfully.");
    expect(data).toEqual({ ...first, version: 4, lastModifiedTime: server.clock.now });
    expect((await server.client.listGateVersions({ path })).pagination.totalItems).toBe(4);
  });

  test("200: does not restore rollouts whose time has passed", async () => {
    const [missed, pending] = [1000, 9000].map((delay) => ({ time: server.clock.now + delay, passPercent: 50 })) as [any, any];
    const rolled = [{ ...rules[0], name: "Everyone", passPercentage: 1, conditions: [], pendingAutomatedRollouts: [missed, pending] }];
    const { data: gate } = await server.client.createGate({ body: { name: "rolled back", rules: rolled } });
    server.clock.now += 2000;
    const { data } = await server.client.restoreGateVersion({ path: { id: gate.id, version: 1 } });
    expect(data.rules).toEqual([{ ...gate.rules[0], pendingAutomatedRollouts: [pending] }]);
  });

  test("404: the version does not exist", async () => {
    const { data } = await server.client.createGate({ body: { name: "young" } });
    expect(await refusal(server.client.restoreGateVersion({ path: { id: data.id, version: 2 } }))).toEqual({
      status: 404,
      code: "not_found",
      message: "Version 2 of gate young does not exist.",
      errors: [],
    });
  });

  test("400: the version references a deleted entity", async () => {
    const { data: target } = await server.client.createGate({ body: { name: "gone since" } });
    const conditions = [{ type: "passes_gate" as const, targetValue: target.id }];
    const { data } = await server.client.createGate({ body: { name: "nostalgic", rules: [{ name: "r", passPercentage: 5, conditions }] } });
    const path = { id: data.id };
    await server.client.patchGate({ path, body: { rules: [] } });
    await server.client.deleteGate({ path: { id: target.id } });
    expect(await refusal(server.client.restoreGateVersion({ path: { ...path, version: 1 } }))).toEqual(
      invalid(["rules[0].conditions[0].targetValue", "references gate gone_since, which does not exist"]),
    );
  });

  test("412: If-Match names another version", async () => {
    const { data } = await server.client.createGate({ body: { name: "guarded restore" } });
    expect((await refusal(server.client.restoreGateVersion({ path: { id: data.id, version: 1 }, ifMatch: '"7"' }))).status).toBe(412);
  });
});

describe("listGates", () => {
  test("200: filters by id type, type, rollout rate of the enabled rules, and target app", async () => {
    const make = (name: string, body: object) => server.client.createGate({ body: { name, tags: ["filtered"], ...body } });
    const at = (passPercentage: number, conditions: object[] = []) => [{ name: "r", passPercentage, conditions }];
    const country = { type: "country", operator: "any", targetValue: ["DE"] };
    const disabled = { name: "off", passPercentage: 50, conditions: [], isEnabled: false };
    await make("by stable id", { idType: "stableID", rules: [disabled, ...at(100)] });
    await make("permanent kind", { type: "PERMANENT", rules: at(100, [country]) });
    await make("for web", { targetApps: ["web", "shop"], rules: [...at(0), disabled] });
    const list = async (query: object) =>
      (await server.client.listGates({ query: { tags: ["filtered"], ...query } })).data.map(({ name }) => name).toSorted();
    expect(await list({ idType: ["stableID"] })).toEqual(["by stable id"]);
    expect(await list({ idType: ["stableID", "userID"] })).toHaveLength(3);
    expect(await list({ type: ["PERMANENT"] })).toEqual(["permanent kind"]);
    expect(await list({ rolloutRate: ["0"] })).toEqual(["for web"]);
    expect(await list({ rolloutRate: ["100"] })).toEqual(["by stable id"]);
    expect(await list({ rolloutRate: ["INBETWEEN", "0"] })).toEqual(["for web", "permanent kind"]);
    expect(await list({ targetAppID: "shop" })).toEqual(["for web"]);
  });

  test("400: an unknown type, reason or rate", async () => {
    const answer = await server.send("GET", "/console/v1/gates?type=OLD&typeReason=OLD&passRate=50");
    expect([answer.status, answer.body.errors.map(({ property }: { property: string }) => property)]).toEqual([
      400,
      ["type[0]", "typeReason[0]", "passRate[0]"],
    ]);
  });
});
