import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeKey } from "./support/keys.ts";
import { evaluate as evaluateFlag, untilSeen } from "./support/ofrep.ts";
import { makeOtherProject } from "./support/other-project.ts";
import { refusal, startServer, type TestServer } from "./support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const staff = {
  name: "Staff",
  passPercentage: 100,
  conditions: [{ type: "email" as const, operator: "str_contains_any" as const, targetValue: ["@staff.example"] }],
};
const everyone = { name: "Everyone", passPercentage: 100, conditions: [{ type: "public" as const }] };
const alice = { userID: "alice", email: "alice@staff.example" };
const bob = { userID: "bob" };

type Request = Parameters<TestServer["client"]["evaluateUsers"]>[0]["body"];
const evaluate = async (body: Request) => (await server.client.evaluateUsers({ body })).data;
const resultsOf = async (users: Request["users"], ...entities: Request["entities"]) =>
  (await evaluate({ users, entities })).map(({ results }) => results);
const violations = async (body: Request) => (await refusal(server.client.evaluateUsers({ body }))).errors;

async function makeGate(name: string, body: object = {}) {
  return (await server.client.createGate({ body: { name, isEnabled: true, ...body } })).data;
}

describe("evaluateUsers", () => {
  test("200: each user with each entity, in the order of the request, and the rules up to the one that decided", async () => {
    const { rules } = await makeGate("for_staff", { rules: [staff, everyone] });
    const [first, second] = rules.map(({ id }) => id);
    const [ofAlice, ofBob] = await evaluate({ users: [alice, bob], entities: [{ type: "gate", id: "for_staff" }] });
    const email = { type: "user_field", operator: "str_contains_any", field: "email" };
    expect(ofAlice).toEqual({
      user: alice,
      results: [
        {
          type: "gate",
          id: "for_staff",
          value: true,
          ruleID: first,
          reason: "TARGETING_MATCH",
          rules: [
            {
              id: first,
              name: "Staff",
              passed: true,
              passPercentage: 100,
              position: expect.any(Number),
              conditions: [{ ...email, passed: true, compared: alice.email }],
            },
          ],
        },
      ],
    });
    expect(ofBob?.results[0]).toMatchObject({
      value: true,
      ruleID: second,
      rules: [
        { name: "Staff", passed: false, position: null, conditions: [{ ...email, passed: false, compared: null }] },
        { name: "Everyone", passed: true, conditions: [{ type: "public", passed: true, compared: null }] },
      ],
    });
  });

  test("200: sees a change as soon as its response was sent, on every server", async () => {
    const replica = await server.replica();
    const body = { users: [bob], entities: [{ type: "gate", id: "seen_at_once" }] };
    const valueAt = async (at: TestServer) => (await at.send("POST", "/console/v1/evaluate", { body })).body.data[0].results[0].value;
    const { id } = await makeGate("seen_at_once", { rules: [everyone] });
    expect([await valueAt(server), await valueAt(replica)]).toEqual([true, true]);
    for (const isEnabled of [false, true, false]) {
      await server.client.patchGate({ path: { id }, body: { isEnabled } });
      expect([await valueAt(server), await valueAt(replica)]).toEqual([isEnabled, isEnabled]);
    }
    await replica.close();
  });

  test("200: every kind of entity, with its kind of value", async () => {
    await server.client.createDynamicConfig({ body: { name: "colors", isEnabled: true, defaultValue: { button: "red" } } });
    await server.client.createSegment({ body: { name: "employees", type: "rule_based", rules: [staff] } });
    await server.client.createSegment({ body: { name: "testers", type: "id_list" } });
    await server.client.addSegmentIDs({ path: { id: "testers" }, body: { ids: ["bob"] } });
    await server.client.createLayer({
      body: { name: "page", idType: "userID", parameters: [{ name: "size", type: "number", defaultValue: 4 }] },
    });
    await server.client.createExperiment({
      body: {
        name: "larger",
        layerID: "page",
        allocation: 100,
        groups: [{ name: "Large", id: "large", size: 100, parameterValues: { size: 8 } }],
      },
    });
    await server.client.startExperiment({ path: { id: "larger" } });
    await server.client.createHoldout({ body: { name: "held", passPercentage: 10, isEnabled: true } });
    await server.client.createParamStore({
      body: { name: "store", parameters: [{ name: "greeting", ref_type: "static", param_type: "string", value: "hello" }] },
    });
    const [results] = await resultsOf(
      [bob],
      { type: "dynamic_config", id: "colors" },
      { type: "segment", id: "employees" },
      { type: "segment", id: "testers" },
      { type: "layer", id: "page" },
      { type: "experiment", id: "larger" },
      { type: "holdout", id: "held" },
      { type: "param_store", id: "store" },
    );
    expect(results?.map(({ type, value, reason, allocatedExperiment }) => [type, value, reason, allocatedExperiment])).toEqual([
      ["dynamic_config", { button: "red" }, "STATIC", undefined],
      ["segment", false, "TARGETING_MATCH", undefined],
      ["segment", true, "TARGETING_MATCH", undefined],
      ["layer", { size: 8 }, "SPLIT", "larger"],
      ["experiment", { size: 8 }, "SPLIT", undefined],
      ["holdout", expect.any(Boolean), "SPLIT", undefined],
      ["param_store", { greeting: "hello" }, "STATIC", undefined],
    ]);
  });

  test("200: in the environment of the request, in that of the user, or else in production", async () => {
    await makeGate("in_staging", { rules: [{ ...everyone, environments: ["staging"] }] });
    const entities = [{ type: "gate" as const, id: "in_staging" }];
    const inStaging = { ...bob, statsigEnvironment: { tier: "staging" } };
    const values = async (environment?: string) =>
      (await evaluate({ users: [bob, inStaging], entities, ...(environment !== undefined && { environment }) })).map(
        ({ results }) => results[0]?.value,
      );
    expect([await values(), await values("Staging"), await values("production")]).toEqual([
      [false, true],
      [true, true],
      [false, false],
    ]);
  });

  test("200: tells the position of a unit in a pass percentage, which stays when the percentage changes", async () => {
    const { id, rules } = await makeGate("rolled_out", { rules: [{ ...everyone, passPercentage: 0 }] });
    const ruleOf = async () => (await resultsOf([alice], { type: "gate", id }))[0]?.[0]?.rules[0];
    const position = (await ruleOf())?.position ?? Number.NaN;
    const change = (passPercentage: number) =>
      server.client.patchGate({ path: { id }, body: { rules: rules.map((rule) => ({ ...rule, passPercentage })) } });
    await change(Math.min(100, Math.round(position * 100 + 1) / 100));
    expect(await ruleOf()).toMatchObject({ passed: true, position });
    await change(position);
    expect(await ruleOf()).toMatchObject({ passed: false, position });
  });

  test("200: cuts long values that were compared, and shows lists as JSON", async () => {
    const field = (name: string) => ({ type: "custom_field" as const, field: name, operator: "any" as const, targetValue: ["x"] });
    const { id } = await makeGate("odd_values", {
      rules: ["long", "list"].map((name) => ({ ...everyone, name, conditions: [field(name)] })),
    });
    const [results] = await resultsOf([{ custom: { long: "y".repeat(10_000), list: ["a", 1] } }], { type: "gate", id });
    expect(results?.[0]?.rules.map(({ conditions }) => conditions[0]?.compared)).toEqual([`${"y".repeat(200)}…`, '["a",1]']);
  });

  test("200: an archived entity is not evaluated", async () => {
    const { id } = await makeGate("archived_one", { rules: [everyone] });
    await server.client.archiveGate({ path: { id }, body: {} });
    expect(await resultsOf([bob], { type: "gate", id })).toEqual([
      [{ type: "gate", id, value: false, ruleID: "", reason: "NOT_EVALUATED", rules: [] }],
    ]);
  });

  test("200: logs no exposure", async () => {
    const [{ id }, { id: other }] = [
      await makeGate("not_exposed", { rules: [everyone] }),
      await makeGate("exposed", { rules: [everyone] }),
    ];
    await resultsOf([bob], { type: "gate", id });
    await untilSeen(server, other);
    await evaluateFlag(server, other, { targetingKey: "bob" });
    const exposed = async () =>
      new Set(
        (await server.client.listEventValues({ path: { eventName: "statsig::gate_exposure" } })).data.map(({ metadata }) => metadata.gate),
      );
    // Exposures are stored in their order, so one of the preview would be there with the other.
    await expect.poll(exposed).toEqual(new Set([other]));
  });

  test("400: names each entity that does not exist, and an environment", async () => {
    expect(
      await violations({
        users: [bob],
        environment: "nowhere",
        entities: [
          { type: "gate", id: "for_staff" },
          { type: "dynamic_config", id: "for_staff" },
          { type: "holdout", id: "nothing" },
        ],
      }),
    ).toEqual([
      { property: "entities[1].id", errorMessage: "references dynamic config for_staff, which does not exist" },
      { property: "entities[2].id", errorMessage: "references holdout nothing, which does not exist" },
      { property: "environment", errorMessage: "references environment nowhere, which does not exist" },
    ]);
  });

  test("400: an entity of another project", async () => {
    const apiKey = await makeOtherProject(server);
    const other = createConsoleClient({ baseUrl: server.url, apiKey, retry: { attempts: 1 } });
    const body = { users: [bob], entities: [{ type: "gate" as const, id: "for_staff" }] };
    expect((await refusal(other.evaluateUsers({ body }))).errors).toEqual([
      { property: "entities[0].id", errorMessage: "references gate for_staff, which does not exist" },
    ]);
  });

  test("400: more than 1,000 answers, or more than 100,000 conditions in all", async () => {
    const users = (length: number) => Array.from({ length }, (_, index) => ({ userID: `${index}` }));
    const gate = { type: "gate" as const, id: "for_staff" };
    expect(await violations({ users: users(501), entities: [gate, gate] })).toEqual([
      { property: "users", errorMessage: "501 users times 2 entities are 1002 answers, and there may be 1000" },
    ]);
    const rules = Array.from({ length: 200 }, (_, index) => ({ ...everyone, name: `rule ${index}` }));
    const { id } = await makeGate("many_conditions", { rules });
    expect(await violations({ users: users(501), entities: [{ type: "gate", id }] })).toEqual([
      { property: "entities", errorMessage: "the rules of these entities have 100200 conditions for all users, and there may be 100000" },
    ]);
    expect(await evaluate({ users: users(500), entities: [{ type: "gate", id }] })).toHaveLength(500);
  });

  test("200: the saved and the draft's answer side by side, also of what depends on the draft; nothing is stored", async () => {
    const { id, rules, version } = await makeGate("drafted", { rules: [staff] });
    await makeGate("of_drafted", { rules: [{ ...everyone, conditions: [{ type: "passes_gate", targetValue: id }] }] });
    const change = { rules: [...rules, { ...everyone, id: "for_all" }] };
    const [ofBob] = await evaluate({
      users: [bob],
      entities: [
        { type: "gate", id },
        { type: "gate", id: "of_drafted" },
        { type: "gate", id: "for_staff" },
      ],
      drafts: [{ type: "gate", id, body: change }],
    });
    expect(ofBob?.results.map(({ value, draft }) => [value, draft?.value, draft?.rules.map(({ name, passed }) => [name, passed])])).toEqual(
      [
        [
          false,
          true,
          [
            ["Staff", false],
            ["Everyone", true],
          ],
        ],
        [false, true, [["Everyone", true]]],
        [
          true,
          true,
          [
            ["Staff", false],
            ["Everyone", true],
          ],
        ],
      ],
    );
    expect((await server.client.getGate({ path: { id } })).data).toMatchObject({ version, rules });
  });

  test("200: a draft of every kind, as the operation that would store it takes it", async () => {
    const [results] = (
      await evaluate({
        users: [bob],
        entities: [
          { type: "dynamic_config", id: "colors" },
          { type: "segment", id: "employees" },
          { type: "layer", id: "page" },
          { type: "experiment", id: "larger" },
          { type: "holdout", id: "held" },
          { type: "param_store", id: "store" },
        ],
        drafts: [
          { type: "dynamic_config", id: "colors", body: { defaultValue: { button: "blue" } } },
          {
            type: "segment",
            id: "employees",
            body: { rules: [{ ...everyone, conditions: [{ type: "user_id", operator: "any", targetValue: ["bob"] }] }] },
          },
          { type: "layer", id: "page", body: { parameters: [{ name: "size", type: "number", defaultValue: 5 }] } },
          { type: "experiment", id: "larger", body: { description: "Larger." } },
          { type: "holdout", id: "held", body: { isEnabled: false } },
          {
            type: "param_store",
            id: "store",
            body: { parameters: [{ name: "greeting", ref_type: "static", param_type: "string", value: "bye" }] },
          },
        ],
      })
    ).map(({ results: given }) => given);
    expect(results?.map(({ type, draft }) => [type, draft?.value])).toEqual([
      ["dynamic_config", { button: "blue" }],
      ["segment", true],
      ["layer", { size: 8 }],
      ["experiment", { size: 8 }],
      ["holdout", false],
      ["param_store", { greeting: "bye" }],
    ]);
  });

  test("400: a draft that could not be stored, with its place", async () => {
    const drafts = [
      { type: "gate" as const, id: "for_staff", body: { description: "Fine." } },
      { type: "gate" as const, id: "for_staff", body: { colour: "red" } },
    ];
    expect(await violations({ users: [bob], entities: [{ type: "gate", id: "for_staff" }], drafts })).toEqual([
      { property: "drafts[1].colour", errorMessage: expect.stringContaining("is unknown") },
    ]);
  });

  test("403: a draft needs the permission of the operation that would store it", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const body = { users: [bob], entities: [{ type: "gate", id: "for_staff" }] };
    const drafts = [{ type: "gate", id: "for_staff", body: { isEnabled: false } }];
    const send = (more: object) => server.send("POST", "/console/v1/evaluate", { key, body: { ...body, ...more } });
    expect([(await send({})).status, (await send({ drafts })).status]).toEqual([200, 403]);
  });

  test("404: a draft of an entity that does not exist; 409: of one that is archived", async () => {
    const { id } = await makeGate("archived_draft");
    await server.client.archiveGate({ path: { id }, body: {} });
    const entities = [{ type: "gate" as const, id: "for_staff" }];
    const statusOf = async (draft: string) =>
      (await refusal(evaluate({ users: [bob], entities, drafts: [{ type: "gate", id: draft, body: { isEnabled: true } }] }))).status;
    expect([await statusOf("nowhere"), await statusOf(id)]).toEqual([404, 409]);
  });
});
