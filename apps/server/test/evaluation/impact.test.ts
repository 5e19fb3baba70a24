import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { refusal, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const everyone = { name: "Everyone", passPercentage: 100, conditions: [{ type: "public" as const }] };
const onPlan = (plan: string) => ({
  name: plan,
  passPercentage: 100,
  conditions: [{ type: "custom_field" as const, field: "plan", operator: "any" as const, targetValue: [plan] }],
});

async function makeGate(name: string, rules: object[] = []) {
  return (await server.client.createGate({ body: { name, isEnabled: true, rules: rules as never } })).data;
}

/** Lets applications report the values that users saw. */
async function show(event: "gate" | "config", name: string, ...users: object[]) {
  const events = users.map((user) => ({
    eventName: `statsig::${event}_exposure`,
    user,
    metadata: { [event]: name, ...(event === "gate" && { gateValue: "false" }), ruleID: "default" },
  }));
  expect((await server.send("POST", "/v1/log_event", { body: { events } })).status).toBe(202);
}

/** The impact of a PATCH, except in environments without users. */
async function readImpact(path: string, body: object, users = 100) {
  const query = { dryRun: true, impact: users };
  const answer = await server.send("PATCH", `/console/v1/${path}?${new URLSearchParams(query as never)}`, { body });
  expect([answer.status, answer.body.message]).toEqual([200, expect.any(String)]);
  return answer.body.impact.filter((one: { users: number }) => one.users > 0);
}

const user = (userID: string, plan?: string) => ({ userID, ...(plan !== undefined && { custom: { plan } }) });
const inProduction = (one: object) => ({ ...one, statsigEnvironment: { tier: "production" } });

describe("impact of a dry run", () => {
  test("tells how many of the users seen last would get another value, and who", async () => {
    const { id } = await makeGate("for_pro");
    await show("gate", id, user("ann", "pro"), user("bea", "pro"), user("cai", "free"));
    expect(await readImpact(`gates/${id}`, { rules: [onPlan("pro")] })).toEqual([
      {
        environment: "production",
        users: 3,
        changed: 2,
        transitions: [{ type: "gate", id, from: false, to: true, count: 2 }],
        examples: [{ user: inProduction(user("bea", "pro")), type: "gate", id, before: false, after: true }],
      },
    ]);
  });

  test("stores nothing, and leaves what applications get as it is", async () => {
    const { id, version } = await makeGate("left_alone", [everyone]);
    await show("gate", id, user("ann"));
    const value = async () =>
      (await server.client.evaluateUsers({ body: { users: [user("ann")], entities: [{ type: "gate", id }] } })).data[0]?.results[0]?.value;
    const ruleset = async () =>
      (await fetch(`${server.url}/v1/download_config_specs`, { headers: { "STATSIG-API-KEY": server.key } })).text();
    const before = [await value(), await ruleset()];
    expect((await readImpact(`gates/${id}`, { isEnabled: false }))[0].changed).toBe(1);
    expect([await value(), await ruleset()]).toEqual(before);
    expect((await server.client.getGate({ path: { id } })).data.version).toBe(version);
    await server.client.patchGate({ path: { id }, body: { isEnabled: false } });
    expect(await value()).toBe(false);
  });

  test("follows a change to everything that depends on it: a segment's ids to gates, configs and param stores", async () => {
    await server.client.createSegment({ body: { name: "testers", type: "id_list" } });
    const conditions = [{ type: "passes_segment", targetValue: "testers" }];
    await makeGate("of_testers", [{ ...everyone, conditions }]);
    await makeGate("of_gate", [{ ...everyone, conditions: [{ type: "passes_gate", targetValue: "of_testers" }] }]);
    await makeGate("of_nothing", [everyone]);
    await server.client.createDynamicConfig({
      body: {
        name: "config_of_gate",
        isEnabled: true,
        defaultValue: { size: 1 },
        rules: [{ ...everyone, conditions: [{ type: "passes_gate", targetValue: "of_gate" }], returnValue: { size: 2 } }],
      },
    });
    await server.client.createParamStore({
      body: {
        name: "store_of_config",
        parameters: [
          { name: "size", ref_type: "dynamic_config", param_type: "number", config_name: "config_of_gate", param_name: "size" },
        ] as never,
      },
    });
    await show("gate", "of_nothing", user("never counted"));
    await show("config", "config_of_gate", user("ann"), user("bea"));
    const { body } = await server.send("PATCH", "/console/v1/segments/testers/id_list?dryRun=true&impact=10", { body: { ids: ["ann"] } });
    const [production] = body.impact.filter((one: { users: number }) => one.users > 0);
    expect(production).toMatchObject({ environment: "production", users: 2, changed: 1 });
    expect(production.transitions).toEqual(
      expect.arrayContaining([
        { type: "gate", id: "of_testers", from: false, to: true, count: 1 },
        { type: "gate", id: "of_gate", from: false, to: true, count: 1 },
        { type: "dynamic_config", id: "config_of_gate", from: { size: 1 }, to: { size: 2 }, count: 1 },
        { type: "param_store", id: "store_of_config", from: { size: 1 }, to: { size: 2 }, count: 1 },
      ]),
    );
    expect(production.transitions).toHaveLength(4);
  });

  test("has a transition for each of 60 gates that are archived in one batch", async () => {
    const ids = Array.from({ length: 60 }, (_, index) => `archived_${index}`);
    await server.client.batch({ requests: ids.map((name) => ({ operationId: "createGate", body: { name, rules: [everyone] } })) });
    for (const id of ids) await show("gate", id, user("ann"));
    const requests = ids.map((id) => ({ operationId: "archiveGate", path: { id }, body: {} }));
    const { body } = await server.send("POST", "/console/v1/batch?dryRun=true&impact=10", { body: { requests } });
    const [production] = body.impact.filter((one: { users: number }) => one.users > 0);
    expect(production.transitions.map(({ id, count }: { id: string; count: number }) => [id, count]).sort()).toEqual(
      ids.map((id) => [id, 1]).sort(),
    );
  });

  test("counts ids of a list that is too long for conditions", async () => {
    await server.client.createSegment({ body: { name: "many", type: "id_list" } });
    const ids = Array.from({ length: 1_100 }, (_, index) => `user ${index}`);
    await server.client.addSegmentIDs({ path: { id: "many" }, body: { ids } });
    const { id } = await makeGate("of_many", [{ ...everyone, conditions: [{ type: "passes_segment", targetValue: "many" }] }]);
    await show("gate", id, user("user 7"), user("ann"), user("bea"));
    const changedBy = async (method: string, ids: string[]) => {
      const { body: answer } = await server.send(method, "/console/v1/segments/many/id_list?dryRun=true&impact=10", { body: { ids } });
      return answer.impact.flatMap(({ transitions }: { transitions: { from: boolean; to: boolean; count: number }[] }) =>
        transitions.map(({ from, to, count }) => [from, to, count]),
      );
    };
    expect(await changedBy("PATCH", ["ann", "user 8"])).toEqual([[false, true, 1]]);
    expect(await changedBy("DELETE", ["user 7"])).toEqual([[true, false, 1]]);
    expect(await changedBy("DELETE", ids.slice(0, 500))).toEqual([[true, false, 1]]);
  });

  test("evaluates each user in the environment where they were seen", async () => {
    const { id } = await makeGate("by_environment", [everyone]);
    const inStaging = { ...user("ann"), statsigEnvironment: { tier: "staging" } };
    await show("gate", id, user("ann"), inStaging, user("bea"));
    const impact = await readImpact(`gates/${id}`, { rules: [{ ...everyone, environments: ["production"] }] });
    expect(impact.map(({ environment, users, changed }: never) => [environment, users, changed])).toEqual([
      ["staging", 1, 1],
      ["production", 2, 0],
    ]);
  });

  test("counts users who would get equal values by different rules together, and none who would get an equal one", async () => {
    await server.client.createDynamicConfig({ body: { name: "equal_values", isEnabled: true, defaultValue: { a: 1, b: 2 } } });
    await show("config", "equal_values", user("ann", "pro"), user("bea", "free"), user("cai"));
    const rules = [
      { ...onPlan("pro"), returnValue: { a: 2 } },
      { ...onPlan("free"), returnValue: { a: 2 } },
      { ...everyone, returnValue: { b: 2, a: 1 } },
    ];
    const [production] = await readImpact("dynamic_configs/equal_values", { rules });
    expect(production).toMatchObject({
      users: 3,
      changed: 2,
      transitions: [{ type: "dynamic_config", id: "equal_values", from: { a: 1, b: 2 }, to: { a: 2 }, count: 2 }],
    });
  });

  test("lists every environment if no users were seen, and is empty if applications evaluate nothing affected by the change", async () => {
    const { id } = await makeGate("never_shown", [everyone]);
    const { body } = await server.send("PATCH", `/console/v1/gates/${id}?dryRun=true&impact=5`, { body: { isEnabled: false } });
    const nobody = { users: 0, changed: 0, transitions: [], examples: [] };
    expect(body.impact).toEqual(["development", "staging", "production"].map((environment) => ({ environment, ...nobody })));
    const tag = await server.send("POST", "/console/v1/tags?dryRun=true&impact=5", { body: { name: "unseen" } });
    expect(tag.body.impact).toEqual([]);
  });

  test("asks the number of users that the request names, those seen last", async () => {
    const { id } = await makeGate("many_users");
    for (const index of [1, 2, 3, 4, 5]) await show("gate", id, user(`u${index}`));
    const [production] = await readImpact(`gates/${id}`, { rules: [everyone] }, 2);
    expect(production).toMatchObject({ users: 2, changed: 2, examples: [{ user: { userID: "u5" } }] });
  });

  test("shows an archived or deleted entity as null, for a gate as false, and cuts long values", async () => {
    const long = { text: "x".repeat(5_000) };
    await server.client.createDynamicConfig({ body: { name: "long", isEnabled: true, defaultValue: long } });
    await show("config", "long", user("ann"));
    const { body } = await server.send("DELETE", "/console/v1/dynamic_configs/long?dryRun=true&impact=5");
    const transitions = body.impact.flatMap((one: { transitions: object[] }) => one.transitions);
    const from = `${JSON.stringify(long).slice(0, 2_000)}…`;
    expect(transitions).toEqual([{ type: "dynamic_config", id: "long", from, to: null, count: 1 }]);
    const { id } = await makeGate("goes", [everyone]);
    await show("gate", id, user("ann"));
    const gone = await server.send("DELETE", `/console/v1/gates/${id}?dryRun=true&impact=5`);
    expect(gone.body.impact.flatMap((one: { transitions: object[] }) => one.transitions)).toEqual([
      { type: "gate", id, from: true, to: false, count: 1 },
    ]);
  });

  test("400: without a dry run, and with more than 10,000 users", async () => {
    const { id } = await makeGate("refused_impact");
    const patch = (query: object) => refusal(server.client.patchGate({ path: { id }, query, body: { isEnabled: false } }));
    expect((await patch({ impact: 5 })).errors).toEqual([{ property: "impact", errorMessage: "needs dryRun=true" }]);
    expect((await patch({ impact: 10_001, dryRun: true })).errors).toEqual([{ property: "impact", errorMessage: "must be <= 10000" }]);
  });
});

describe("impact of a batch", () => {
  const inEach = (impact: { environment: string; users: number; changed: number }[]) =>
    impact.map(({ environment, users, changed }) => [environment, users, changed]);

  test("reports the combined effect of all its writes on users that applications reported", async () => {
    const [{ id: first }, { id: second }] = [await makeGate("batched_first"), await makeGate("batched_second")];
    await show("gate", first, user("ann"), user("bea"));
    const { impact = [] } = await server.client.batch({
      requests: [
        { operationId: "patchGate", path: { id: first }, body: { rules: [everyone] } },
        {
          operationId: "patchGate",
          path: { id: second },
          body: { rules: [{ ...everyone, conditions: [{ type: "passes_gate", targetValue: first }] }] },
        },
      ],
      query: { dryRun: true, impact: 10 },
    });
    expect(inEach(impact)).toEqual([
      ["development", 0, 0],
      ["staging", 0, 0],
      ["production", 2, 2],
    ]);
    expect(impact[2]?.transitions).toEqual([
      { type: "gate", id: first, from: false, to: true, count: 2 },
      { type: "gate", id: second, from: false, to: true, count: 2 },
    ]);
  });

  test("tells it for the caller's users, each in their environment or else in every one", async () => {
    const { id } = await makeGate("for_given_users");
    const rules = [{ ...onPlan("pro"), environments: ["staging", "production"] }];
    const { impact = [] } = await server.client.batch({
      requests: [{ operationId: "patchGate", path: { id }, body: { rules } }],
      impactUsers: [user("ann", "pro"), { ...user("bea", "pro"), statsigEnvironment: { tier: "Staging" } }, user("cai")],
      query: { dryRun: true },
    });
    expect(inEach(impact)).toEqual([
      ["development", 2, 0],
      ["staging", 3, 2],
      ["production", 2, 1],
    ]);
  });

  test("400: users without a dry run, and a request of the batch that asks for an impact", async () => {
    const { id } = await makeGate("refused_in_batch");
    const one = { operationId: "patchGate" as const, path: { id }, body: { isEnabled: false } };
    expect((await refusal(server.client.batch({ requests: [one], impactUsers: [user("ann")] }))).errors).toEqual([
      { property: "impactUsers", errorMessage: "needs dryRun=true" },
    ]);
    const requests = [{ ...one, query: { impact: 5 } as never }];
    expect((await refusal(server.client.batch({ requests, query: { dryRun: true } }))).errors).toEqual([
      { property: "requests[0].impact", errorMessage: "belongs to the batch, not to a request in it" },
    ]);
  });
});
