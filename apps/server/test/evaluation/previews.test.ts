import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyone, makeEvaluated, staff } from "../support/evaluated-entities.ts";
import { evaluate as evaluateFlag, untilSeen } from "../support/ofrep.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const alice = { userID: "alice", email: "alice@staff.example" };
const bob = { userID: "bob" };

type Request = Parameters<TestServer["client"]["evaluateUsers"]>[0]["body"];
const evaluate = async (body: Request) => (await server.client.evaluateUsers({ body })).data;
const previewResults = async (users: Request["users"], ...entities: Request["entities"]) =>
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
    await makeEvaluated(server);
    const [results] = await previewResults(
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
    const previewRule = async () => (await previewResults([alice], { type: "gate", id }))[0]?.[0]?.rules[0];
    const position = (await previewRule())?.position ?? Number.NaN;
    const change = (passPercentage: number) =>
      server.client.patchGate({ path: { id }, body: { rules: rules.map((rule) => ({ ...rule, passPercentage })) } });
    await change(Math.min(100, Math.round(position * 100 + 1) / 100));
    expect(await previewRule()).toMatchObject({ passed: true, position });
    await change(Math.max(0, Math.round(position * 100 - 1) / 100));
    expect(await previewRule()).toMatchObject({ passed: false, position });
  });

  test("200: cuts long values that were compared, and shows lists as JSON", async () => {
    const field = (name: string) => ({ type: "custom_field" as const, field: name, operator: "any" as const, targetValue: ["x"] });
    const { id } = await makeGate("odd_values", {
      rules: ["long", "list"].map((name) => ({ ...everyone, name, conditions: [field(name)] })),
    });
    const [results] = await previewResults([{ custom: { long: "y".repeat(10_000), list: ["a", 1] } }], { type: "gate", id });
    expect(results?.[0]?.rules.map(({ conditions }) => conditions[0]?.compared)).toEqual([`${"y".repeat(200)}…`, '["a",1]']);
  });

  test("200: an archived entity is not evaluated", async () => {
    const { id } = await makeGate("archived_one", { rules: [everyone] });
    await server.client.archiveGate({ path: { id }, body: {} });
    expect(await previewResults([bob], { type: "gate", id })).toEqual([
      [{ type: "gate", id, value: false, ruleID: "", reason: "NOT_EVALUATED", rules: [] }],
    ]);
  });

  test("200: logs no exposure", async () => {
    const [{ id }, { id: other }] = [
      await makeGate("not_exposed", { rules: [everyone] }),
      await makeGate("exposed", { rules: [everyone] }),
    ];
    await previewResults([bob], { type: "gate", id });
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

  test("400: an id of a unit that is neither a text nor a number, which is not left out", async () => {
    const customIDs = { companyID: { name: "acme" }, tenantID: 7, teamID: ["a"] } as never;
    const taken = { type: "gate" as const, id: "for_staff" };
    expect(await violations({ users: [{ customIDs }], entities: [taken] })).toEqual([
      { property: "users[0].customIDs.companyID", errorMessage: "must be string or number or null" },
      { property: "users[0].customIDs.teamID", errorMessage: "must be string or number or null" },
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
});
