import type { Schema } from "@gatehouse/client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { onPostgres } from "../support/database.ts";
import { makeKey } from "../support/keys.ts";
import { reviewing, reviewOf } from "../support/reviewing.ts";
import { invalid, refusal, startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

/** An id that no other test has. */
let count = 0;
let id = "";
beforeEach(() => {
  count += 1;
  id = `gate_${count}`;
});

const rule = (name: string, conditions: Schema<"Condition">[] = []) => ({ name, passPercentage: 100, conditions });
const apply = (configuration: object, { prune = false, ...query }: { prune?: boolean; dryRun?: boolean; applyAt?: number } = {}) =>
  server.client.applyProject({ body: { configuration, prune }, query });
const exported = async (query: object) => (await server.client.exportProject({ query })).data;

describe("exportProject", () => {
  test("leaves out what the server sets, null and empty lists, and names a team by its name", async () => {
    const { data: team } = await server.client.createTeam({ body: { name: `Team of ${id}` } });
    const { data } = await server.client.createGate({ body: { name: id, rules: [{ ...rule("All"), id: "all" }], teamID: team.id } });
    expect(await exported({ kinds: ["gates"], ids: [data.id] })).toEqual({
      gates: [
        {
          ...{ id, name: id, description: "", idType: "userID", isEnabled: true, type: "TEMPORARY", teamID: team.name },
          ...{ measureMetricLifts: true, reviewSettings: { requiredReview: false }, isTemplate: false },
          rules: [{ id: "all", baseID: "all", name: "All", passPercentage: 100, conditions: [] }],
        },
      ],
    });
  });

  test("has a JSON5 text instead of a value only if the text has comments or a layout", async () => {
    const text = "{ /* at most 3 */ retries: 3 }";
    await server.client.createDynamicConfig({ body: { name: `${id}_a`, defaultValueJson5: text } });
    await server.client.createDynamicConfig({ body: { name: `${id}_b`, defaultValue: { retries: 3 } } });
    const { dynamicConfigs } = await exported({ ids: [`${id}_a`, `${id}_b`] });
    expect(dynamicConfigs?.map(({ defaultValue, defaultValueJson5 }) => [defaultValue, defaultValueJson5])).toEqual([
      [undefined, text],
      [{ retries: 3 }, undefined],
    ]);
  });

  test("selects by kind and tag", async () => {
    await server.client.createGate({ body: { name: id, tags: [`tag of ${id}`] } });
    await server.client.createSegment({ body: { name: `${id}_segment`, type: "rule_based", tags: [`tag of ${id}`] } });
    const all = await exported({ tags: [`tag of ${id}`] });
    expect(Object.entries(all).map(([kind, entities]) => [kind, entities.map((one) => one.id)])).toEqual([
      ["segments", [`${id}_segment`]],
      ["gates", [id]],
    ]);
    expect(Object.keys(await exported({ tags: [`tag of ${id}`], kinds: ["gates"] }))).toEqual(["gates"]);
  });
});

describe("applyProject", () => {
  test("keeps the IDs of rules and phases that a file leaves out, by their names", async () => {
    const [first, second] = [rule("First"), rule("Second")];
    const phases = ["Staff", "Everyone"].map((name) => ({
      ...{ name, requiredReview: false, timeIntervalMs: 60_000 },
      rules: [
        {
          name,
          conditions: [{ type: "email", operator: "str_ends_with_any", targetValue: ["@example.com"] }],
          environments: ["production"],
        },
      ],
    }));
    const configuration = {
      gates: [{ id, name: id, rules: [first, second] }],
      releasePipelines: [{ id: `${id}_pipeline`, name: `${id} pipeline`, phases }],
    };
    await apply(configuration);
    expect((await apply(configuration)).data).toEqual([]);
    const [one, other] = (await server.client.getGate({ path: { id } })).data.rules;
    await apply({ gates: [{ id, name: id, rules: [second, rule("Third"), { ...first, passPercentage: 10 }] }] });
    const { data: gate } = await server.client.getGate({ path: { id } });
    expect(gate.rules.map(({ name, baseID }) => [name, baseID])).toEqual([
      ["Second", other?.baseID],
      ["Third", expect.not.stringMatching(new RegExp(`^(${one?.id}|${other?.id})$`))],
      ["First", one?.baseID],
    ]);
  });

  test("creates entities in the order of their references, and renames by id", async () => {
    const onSegment = rule("Staff", [{ type: "passes_segment", targetValue: `${id}_staff` }]);
    const onGate = rule("Other", [{ type: "passes_gate", targetValue: `${id}_b` }]);
    const configuration = {
      gates: [
        { id: `${id}_a`, name: "First", rules: [onGate] },
        { id: `${id}_b`, name: "Second", rules: [onSegment] },
      ],
      segments: [{ id: `${id}_staff`, name: "Staff", type: "rule_based" }],
    };
    const { data } = await apply(configuration);
    expect(data.map(({ id, action, requests }) => [id, action, requests])).toEqual([
      [`${id}_staff`, "create", ["createSegment"]],
      [`${id}_b`, "create", ["createGate"]],
      [`${id}_a`, "create", ["createGate"]],
    ]);
    const renamed = await apply({ gates: [{ id: `${id}_a`, name: "Renamed", rules: [onGate] }] });
    expect(renamed.data).toEqual([{ kind: "gates", id: `${id}_a`, name: "Renamed", action: "update", requests: ["patchGate"] }]);
    expect((await server.client.getGate({ path: { id: `${id}_a` } })).data).toMatchObject({ name: "Renamed", version: 2 });
  });

  test("empties lists and nullable fields that are left out, keeps other fields, and writes nothing that is equal", async () => {
    await server.client.createGate({ body: { name: id, description: "Kept.", tags: ["gone"], disabledEnvironments: ["staging"] } });
    await apply({ gates: [{ id, name: id }] });
    const { data } = await server.client.getGate({ path: { id } });
    expect([data.description, data.tags, data.disabledEnvironments, data.version]).toEqual(["Kept.", [], undefined, 2]);
    expect((await apply({ gates: [{ id, name: id }] })).data).toEqual([]);
    // Another spelling of the same value.
    await apply({ dynamicConfigs: [{ id, name: id, defaultValueJson5: "{a: 1}" }] });
    expect((await apply({ dynamicConfigs: [{ id, name: id, defaultValue: { a: 1 } }] })).data).toEqual([]);
    expect((await server.client.getDynamicConfig({ path: { id } })).data.version).toBe(1);
  });

  test("launches a gate, and lets its rules decide again", async () => {
    await apply({ gates: [{ id, name: id, status: "Launched" }] });
    expect((await server.client.getGate({ path: { id } })).data.status).toBe("Launched");
    expect((await apply({ gates: [{ id, name: id, status: "Launched" }] })).data).toEqual([]);
    expect((await apply({ gates: [{ id, name: id }] })).data[0]?.requests).toEqual(["enableGate"]);
  });

  test("unarchives an archived entity, and with prune archives entities that are left out, of the same kind only", async () => {
    const [kept, left] = [`${id}_kept`, `${id}_left`];
    const before = (await exported({ kinds: ["segments"] })).segments ?? [];
    const segment = (name: string) => ({ id: name, name, type: "rule_based" });
    await server.client.createGate({ body: { name: id } });
    await apply({ segments: [segment(kept), segment(left)] });
    const { data } = await apply({ segments: [...before, segment(kept)] }, { prune: true });
    expect(data).toEqual([{ kind: "segments", id: left, name: left, action: "remove", requests: ["archiveSegment"] }]);
    expect((await server.client.getGate({ path: { id } })).data.status).toBe("In Progress");
    expect((await apply({ segments: [segment(left)] })).data[0]).toMatchObject({ action: "create", requests: ["unarchiveSegment"] });
  });

  test("changes entities whose kind has only an update operation, without losing other fields", async () => {
    const metric = { name: id, type: "event_count_custom", metricEvents: [{ name: "purchase", type: "count" }] };
    await apply({ metrics: [{ ...metric, directionality: "decrease" }] });
    const { data } = await apply({ metrics: [{ ...metric, description: "Purchases." }] });
    expect(data.map(({ requests }) => requests)).toEqual([["updateMetric"]]);
    const stored = (await server.client.getMetric({ path: { id: `${id}::event_count_custom` } })).data;
    expect([stored.description, stored.directionality, stored.version]).toEqual(["Purchases.", "decrease", 2]);
  });

  test("creates an entity that was renamed since with its old ID", async () => {
    await apply({ holdouts: [{ id, name: "Another name" }] });
    expect((await server.client.getHoldout({ path: { id } })).data.name).toBe("Another name");
  });

  test("replaces the environments, and removes one that rules named until now", async () => {
    const { environments = [] } = await exported({ kinds: ["environments"] });
    await apply({ environments: [...environments, { ...environments[0], name: id }] });
    await apply({ gates: [{ id, name: id, rules: [{ ...rule("All"), environments: [id] }] }] });
    const { data } = await apply({ environments, gates: [{ id, name: id }] });
    expect(data.map(({ kind, requests }) => [kind, requests])).toEqual([
      ["gates", ["patchGate"]],
      ["environments", ["updateEnvironments"]],
    ]);
    expect((await exported({ kinds: ["environments"] })).environments).toEqual(environments);
  });

  test("stores nothing if one entity is refused, and names it with its place", async () => {
    const groups = [
      { id: "a", name: "A", size: 50 },
      { id: "b", name: "B", size: 50 },
    ];
    await server.client.createExperiment({ body: { name: id, groups, status: "active" } });
    const resized = groups.map((group, index) => ({ ...group, size: index === 0 ? 40 : 60 }));
    const configuration = { gates: [{ id, name: id }], experiments: [{ id, name: id, groups: resized }] };
    expect(await refusal(apply(configuration))).toEqual({
      ...{ status: 400, code: "invalid_request", message: `The experiment ${id} cannot be applied: The request is not valid.` },
      errors: [
        {
          property: "configuration.experiments[0].groups[0].size",
          errorMessage: "cannot change from 50 to 40 while the experiment is active",
        },
        {
          property: "configuration.experiments[0].groups[1].size",
          errorMessage: "cannot change from 50 to 60 while the experiment is active",
        },
      ],
    });
    expect((await refusal(server.client.getGate({ path: { id } }))).status).toBe(404);
  });

  test.runIf(onPostgres)("changes nothing after another application has changed the same entity meanwhile, and names it", async () => {
    await server.client.createGate({ body: { name: id } });
    const applying = async (description: string) => {
      const call = apply({ gates: [{ id, name: id, description }] });
      return (await Promise.allSettled([call]))[0].status === "rejected" ? [await refusal(call)] : [];
    };
    let round = 0;
    const refused = await waitFor(async () => {
      round += 1;
      const all = await Promise.all(["A", "B", "C", "D"].map((name) => applying(`${name} of round ${round}`)));
      expect(all.flat()).not.toEqual([]);
      return all.flat();
    });
    const message = `The gate ${id} has just changed. Apply the configuration again.`;
    const errors = [{ property: "configuration.gates[0]", errorMessage: message }];
    expect(refused[0]).toEqual({ status: 409, code: "conflict", message, errors });
  });

  test("refuses a dynamic config with the ID of an experiment", async () => {
    await server.client.createExperiment({ body: { name: id } });
    expect(await refusal(apply({ dynamicConfigs: [{ id, name: id }] }))).toMatchObject({
      status: 409,
      message: expect.stringContaining(`The dynamic config ${id} cannot be applied: Experiment ${id} already exists`),
    });
  });

  test.each<[string, object, string, string]>([
    ["without an id", { gates: [{ name: "x" }] }, "gates[0].id", "is required"],
    ["that is there twice", { tags: [{ name: "x" }, { name: "x" }] }, "tags[1].name", "is the same as that of an earlier entity: x"],
    [
      "of a missing team",
      { gates: [{ id: "abc", name: "abc", teamID: "no" }] },
      "gates[0].teamID",
      "is neither the name nor the ID of a team of the project: no",
    ],
    ["with an unknown field", { gates: [{ id: "abc", name: "abc", colour: 1 }] }, "gates[0].colour", "is unknown"],
  ])("refuses an entity %s", async (_, configuration, place, errorMessage) => {
    const { errors } = await refusal(apply(configuration));
    expect(errors).toEqual([
      expect.objectContaining({ property: `configuration.${place}`, errorMessage: expect.stringContaining(errorMessage) }),
    ]);
  });

  test("refuses a field that is fixed at creation", async () => {
    await server.client.createParamStore({ body: { name: id, displayName: "First", parameters: [] } });
    const { errors } = await refusal(apply({ paramStores: [{ name: id, displayName: "Second" }] }));
    expect(errors).toEqual([
      { property: "configuration.paramStores[0].displayName", errorMessage: "cannot be changed: a param store keeps it from its creation" },
    ]);
  });

  test("needs the permissions of the operations that it makes", async () => {
    const { key } = await makeKey(server, { type: "CONSOLE", scopes: ["omni_read_only"] });
    const { status, body } = await server.send("POST", "/console/v1/configuration", {
      ...{ key, body: { configuration: { gates: [{ id, name: id }] } } },
    });
    expect([status, body.message]).toEqual([
      403,
      `The gate ${id} cannot be applied: Insufficient permissions. This requires the permission create_configs, which is not given by the scopes of the key.`,
    ]);
  });

  test("shows in a dry run each field that would change, and whether a review is needed", async () => {
    const { data, changes, requirements } = await apply({ gates: [{ id, name: id }] }, { dryRun: true });
    expect([data.length, changes?.map(({ entityID }) => entityID), requirements]).toEqual([1, [id], []]);
    expect((await refusal(server.client.getGate({ path: { id } }))).status).toBe(404);
  });

  test("is scheduled as the batch of its requests", async () => {
    const answer = await server.send("POST", `/console/v1/configuration?applyAt=${server.clock.now + 1000}`, {
      body: { configuration: { gates: [{ id, name: id }] } },
    });
    expect([answer.status, answer.body.data.operationId]).toEqual([202, "batch"]);
    server.clock.now += 1000;
    await server.applyDue();
    expect((await server.client.getGate({ path: { id } })).data.version).toBe(1);
  });

  test("is reviewed as a whole, and committed as it was approved", async () => {
    const reviews = reviewing(() => server);
    const [author, reviewer] = [await reviews.colleague(), await reviews.colleague()];
    await reviews.require(["production"]);
    const configuration = { gates: [{ id, name: id, rules: [rule("All")] }], segments: [{ id, name: id, type: "rule_based" }] };
    const review = await reviewOf(author.client.applyProject({ body: { configuration } }));
    expect([review.operationId, review.entities.map(({ entityID }) => entityID)]).toEqual(["batch", [id, id]]);
    await reviewer.client.approveReview({ path: { id: review.id } });
    await author.client.commitReview({ path: { id: review.id } });
    expect((await server.client.getGate({ path: { id } })).data.rules.length).toBe(1);
    await reviews.require([]);
  });
});

test("a kind that is not a list is refused by its place", async () => {
  expect(await refusal(apply({ gates: {} }))).toEqual(invalid(["configuration.gates", "must be array"]));
});
