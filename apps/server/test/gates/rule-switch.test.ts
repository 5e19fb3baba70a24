import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { everyone, staff } from "../support/evaluated-entities.ts";
import { makeKey } from "../support/keys.ts";
import { evaluate } from "../support/ofrep.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

// A rule with `isEnabled: false`. The tests of automated rollouts, staleness and limited keys cover its effect there.

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const disabled = { isEnabled: false };
const nobody = { ...everyone, name: "Nobody", passPercentage: 0 };

async function makeGate(name: string, rules: object[] = [everyone]) {
  const { data } = await server.client.createGate({ body: { name, isEnabled: true, rules: rules as (typeof everyone)[] } });
  return { gate: data, path: { id: data.id }, ids: data.rules.map(({ id }) => id) as [string, string] };
}
const setEnabled = (path: { id: string }, ruleID: string, isEnabled: boolean) =>
  server.client.patchGateRule({ path: { ...path, ruleID }, body: { isEnabled } });
const enabled = ({ rules }: { rules: { isEnabled?: boolean }[] }) => rules.map(({ isEnabled }) => isEnabled);
/** The preview's results of one entity, which shows a change at once. */
async function previewResult(type: "gate" | "dynamic_config" | "segment" | "experiment", id: string, user: object = { userID: "bob" }) {
  const { data } = await server.client.evaluateUsers({ body: { users: [user], entities: [{ type, id }] } });
  const { value, ruleID, rules } = data[0]?.results[0] ?? {};
  return { value, ruleID, rules: rules?.map(({ name }) => name) };
}

describe("isEnabled of a rule", () => {
  test("is returned only if it is false, no matter which operation sets it", async () => {
    const named = (name: string, given: object = {}) => ({ ...everyone, name, ...given });
    const given = [named("Off", disabled), named("On", { isEnabled: true }), named("Not said")];
    const { gate, path, ids } = await makeGate("says enabled", given);
    expect(gate.rules.map((rule) => ("isEnabled" in rule ? rule.isEnabled : "missing"))).toEqual([false, "missing", "missing"]);
    expect((await setEnabled(path, ids[0], true)).data.rules[0]).not.toHaveProperty("isEnabled");
    const rules = ids.map((id) => ({ id, ...disabled }));
    expect(enabled((await server.client.patchGateRules({ path, body: { rules } })).data)).toEqual([false, false, false]);
    expect(enabled((await server.client.addGateRule({ path, body: named("Fourth", disabled) })).data)[3]).toBe(false);
    expect((await server.client.listGateRules({ path })).data[0]?.rules[3]).toMatchObject(disabled);
  });

  test("stays as it is if a rule is patched without it, and is true if a list of rules leaves it out", async () => {
    const { path, ids } = await makeGate("leaves it out", [{ ...everyone, ...disabled }]);
    const patched = await server.client.patchGateRule({ path: { ...path, ruleID: ids[0] }, body: { passPercentage: 50 } });
    expect(patched.data.rules[0]).toMatchObject({ passPercentage: 50, isEnabled: false });
    const same = await server.client.patchGate({ path, body: { rules: patched.data.rules } });
    expect(same.data.rules).toEqual(patched.data.rules);
    const without = await server.client.patchGate({ path, body: { rules: [{ ...everyone, id: ids[0] }] } });
    expect(without.data.rules[0]).not.toHaveProperty("isEnabled");
  });

  test("is refused if it is not a boolean", async () => {
    const { path, ids } = await makeGate("no boolean");
    const body = { isEnabled: null } as unknown as { isEnabled: boolean };
    expect(await refusal(server.client.patchGateRule({ path: { ...path, ruleID: ids[0] }, body }))).toEqual(
      invalid(["isEnabled", "must be boolean"]),
    );
  });

  test("is one field in a dry run, which changes nothing", async () => {
    const { gate, path, ids } = await makeGate("dry switch");
    const answer = await server.client.patchGateRule({ path: { ...path, ruleID: ids[0] }, query: { dryRun: true }, body: disabled });
    expect(answer.changes).toEqual([
      { entityType: "gate", entityID: gate.id, fields: [{ field: "rules[0].isEnabled", before: null, after: false }] },
    ]);
    expect((await server.client.getGate({ path })).data).toEqual(gate);
  });

  test("is restored with a version", async () => {
    const { path, ids } = await makeGate("restored switch");
    await setEnabled(path, ids[0], false);
    const restore = async (version: number) => enabled((await server.client.restoreGateVersion({ path: { ...path, version } })).data);
    expect([await restore(1), await restore(2)]).toEqual([[undefined], [false]]);
    expect((await previewResult("gate", path.id)).value).toBe(false);
  });

  test("is written by a batch, all rules or none", async () => {
    const [first, second] = [await makeGate("batched one"), await makeGate("batched two")];
    const off = ({ path, ids }: typeof first) => ({
      ...{ operationId: "patchGateRule", path: { ...path, ruleID: ids[0] }, body: disabled },
    });
    const missing = { ...off(second), path: { id: second.path.id, ruleID: "none" } };
    const send = (...requests: object[]) => server.send("POST", "/console/v1/batch", { body: { requests } });
    const values = async () => [(await previewResult("gate", first.path.id)).value, (await previewResult("gate", second.path.id)).value];
    expect((await send(off(first), missing)).status).toBe(404);
    expect(await values()).toEqual([true, true]);
    expect((await send(off(first), off(second))).status).toBe(200);
    expect(await values()).toEqual([false, false]);
  });
});

describe("a disabled rule", () => {
  test("is skipped by all that applications read, in every environment, and the next rule decides", async () => {
    const { gate, path, ids } = await makeGate("skipped gate", [everyone, nobody]);
    const sized = (name: string, size: number) => ({ ...everyone, name, returnValue: { size } });
    const { data: config } = await server.client.createDynamicConfig({
      body: { name: "skipped config", isEnabled: true, rules: [sized("First", 1), sized("Second", 2)] },
    });
    const [first = "", second = ""] = config.rules.map(({ id }) => id);
    const keys = [server.key];
    for (const environment of ["staging", "production"]) keys.push((await makeKey(server, { environments: [environment] })).key);

    const expectDeciding = async (gateRule: string, passes: boolean, configRule: string, value: object) => {
      for (const key of keys) {
        for (const url of ["/v1/download_config_specs", "/v2/download_config_specs"]) {
          const { text } = await server.send("GET", url, { key });
          expect([...ids, first, second].filter((id) => text.includes(`"${id}"`))).toEqual(
            passes ? [...ids, first, second] : [ids[1], second],
          );
        }
        for (const tier of ["staging", "production"]) {
          const user = { userID: "bob", statsigEnvironment: { tier } };
          const { feature_gates, dynamic_configs } = (await server.send("POST", "/v1/initialize", { key, body: { user, hash: "none" } }))
            .body;
          expect(feature_gates[path.id]).toMatchObject({ value: passes, rule_id: gateRule });
          expect(dynamic_configs[config.id]).toMatchObject({ value, rule_id: configRule });
        }
        const ofGate = { value: passes, metadata: { ruleID: gateRule } };
        expect((await evaluate(server, path.id, { targetingKey: "bob" }, { key })).body).toMatchObject(ofGate);
        const ofConfig = { value, metadata: { ruleID: configRule } };
        expect((await evaluate(server, config.id, { targetingKey: "bob" }, { key })).body).toMatchObject(ofConfig);
      }
    };
    const setBoth = async (isEnabled: boolean) => {
      const ofConfig = await server.client.patchDynamicConfigRule({ path: { id: config.id, ruleId: first }, body: { isEnabled } });
      return [(await setEnabled(path, ids[0], isEnabled)).data.rules, ofConfig.data.rules];
    };
    await waitFor(() => expectDeciding(ids[0], true, first, { size: 1 }));
    const off = ([rule, ...others]: object[]) => [{ ...rule, isEnabled: false }, ...others];
    expect(await setBoth(false)).toEqual([off(gate.rules), off(config.rules)]);
    await waitFor(() => expectDeciding(ids[1], false, second, { size: 2 }));
    expect(await setBoth(true)).toEqual([gate.rules, config.rules]);
    await waitFor(() => expectDeciding(ids[0], true, first, { size: 1 }));
  });

  test("passes the same units as before once it is enabled again", async () => {
    const { path, ids } = await makeGate("same units", [{ ...everyone, passPercentage: 40 }]);
    const users = Array.from({ length: 300 }, (_, index) => ({ userID: `user ${index}` }));
    const passing = async () => {
      const { data } = await server.client.evaluateUsers({ body: { users, entities: [{ type: "gate", id: path.id }] } });
      return data.filter(({ results }) => results[0]?.value).map(({ user }) => user.userID);
    };
    const before = await passing();
    expect(before.length).toBeGreaterThan(50);
    await setEnabled(path, ids[0], false);
    expect(await passing()).toEqual([]);
    await setEnabled(path, ids[0], true);
    expect(await passing()).toEqual(before);
  });

  test("is left out of previews, and drafts can enable and disable it", async () => {
    const { gate, path, ids } = await makeGate("previewed", [{ ...staff, ...disabled }, everyone]);
    expect(await previewResult("gate", path.id, { userID: "ann", email: "ann@staff.example" })).toEqual({
      ...{ value: true, ruleID: ids[1], rules: ["Everyone"] },
    });
    const [, second] = gate.rules;
    const draft = { type: "gate" as const, id: path.id, body: { rules: [gate.rules[0], { ...second, ...disabled }] } };
    const { data } = await server.client.evaluateUsers({
      body: { users: [{ userID: "bob" }], entities: [{ type: "gate", id: path.id }], drafts: [draft as never] },
    });
    expect(data[0]?.results[0]?.draft).toMatchObject({ value: false, ruleID: "default", rules: [] });
  });

  test("shows in the impact of disabling it", async () => {
    const { path, ids } = await makeGate("felt", [{ ...staff }, nobody]);
    const user = { userID: "ann", email: "ann@staff.example" };
    const event = { eventName: "statsig::gate_exposure", user, metadata: { gate: path.id, gateValue: "true", ruleID: ids[0] } };
    expect((await server.send("POST", "/v1/log_event", { body: { events: [event] } })).status).toBe(202);
    const { body } = await server.send("PATCH", `/console/v1/gates/felt/rules/${ids[0]}?dryRun=true&impact=10`, { body: disabled });
    const [production] = body.impact.filter(({ users }: { users: number }) => users > 0);
    expect(production.transitions).toEqual([{ type: "gate", id: "felt", from: true, to: false, count: 1 }]);
  });

  test("holds what it references, and its references close cycles", async () => {
    const target = await makeGate("held target");
    const passes = { ...everyone, name: "Passes", conditions: [{ type: "passes_gate" as const, targetValue: target.path.id }] };
    const { path, ids } = await makeGate("holding", [{ ...passes, ...disabled }]);
    const refused = `Gate held_target cannot be deleted: it is referenced by gate ${path.id}. Use forceArchive to do it anyway.`;
    expect((await refusal(server.client.deleteGate({ path: target.path }))).message).toBe(refused);
    expect((await server.client.listReferences({ query: { type: "gate", id: target.path.id } })).data).toMatchObject([{ id: path.id }]);
    const back = { ...passes, conditions: [{ type: "passes_gate" as const, targetValue: path.id }], ...disabled };
    const { errors } = await refusal(server.client.addGateRule({ path: target.path, body: back }));
    expect(errors).toEqual([
      {
        property: "rules[1].conditions[0].targetValue",
        errorMessage: "creates a cycle: gate held_target → gate holding → gate held_target",
      },
    ]);
    expect((await setEnabled(path, ids[0], true)).data.rules).toHaveLength(1);
  });

  test("of a segment matches no users", async () => {
    const { data } = await server.client.createSegment({ body: { name: "switched", type: "rule_based", rules: [staff] } });
    const user = { userID: "ann", email: "ann@staff.example" };
    expect((await previewResult("segment", data.id, user)).value).toBe(true);
    const [rule] = data.rules;
    const replaced = await server.client.updateSegmentRules({
      path: { id: data.id },
      body: [{ ...staff, id: rule?.id ?? "", ...disabled }],
    });
    expect(replaced.data.rules).toEqual([{ ...rule, isEnabled: false }]);
    expect((await previewResult("segment", data.id, user)).value).toBe(false);
  });

  test("of an experiment's targeting matches no users, and the next rule decides", async () => {
    const groups = [{ id: "all", name: "All", size: 100, parameterValues: { in: true } }];
    const body = { name: "targeted", groups, allocation: 100, inlineTargetingRules: [{ ...everyone }], status: "active" as const };
    const { data } = await server.client.createExperiment({ body });
    const [rule] = data.inlineTargetingRules;
    const setRules = async (...inlineTargetingRules: object[]) => {
      const patch = { inlineTargetingRules: inlineTargetingRules as (typeof everyone)[] };
      return (await server.client.patchExperiment({ path: { id: data.id }, body: patch })).data;
    };
    expect((await previewResult("experiment", data.id)).value).toEqual({ in: true });
    const off = await setRules({ ...rule, ...disabled });
    expect(off.inlineTargetingRules).toEqual([{ ...rule, isEnabled: false }]);
    expect(JSON.parse(off.inlineTargetingRulesJSON ?? "")).toEqual({ rules: off.inlineTargetingRules });
    expect((await previewResult("experiment", data.id)).value).toEqual({});
    await setRules({ ...rule, ...disabled }, { ...everyone, name: "Next" });
    expect((await previewResult("experiment", data.id)).value).toEqual({ in: true });
    expect((await setRules({ ...rule, isEnabled: true })).inlineTargetingRules).toEqual(data.inlineTargetingRules);
  });
});
