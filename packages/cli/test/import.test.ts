import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WritableSchema } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createWorkspace, startServer } from "./servers.ts";

let server: Awaited<ReturnType<typeof startServer>>;
const { folder, gatehouse, remove } = createWorkspace();
const exportOf = (system: string) => fileURLToPath(new URL(`./exports/${system}.json`, import.meta.url));
const read = (name: string) => parse(readFileSync(join(folder, name), "utf8"));

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => {
  server?.stop();
  remove();
});

/** Converts an export and applies it to the server. @returns the report */
async function imported(system: string): Promise<string[]> {
  const { code, stderr } = await gatehouse(["import", system, exportOf(system), "--out", system]);
  const env = { GATEHOUSE_URL: server.url, GATEHOUSE_KEY: server.key };
  const applied = await gatehouse(["apply", system, "--json"], env);
  expect([code, applied.code, applied.stderr]).toEqual([0, 0, ""]);
  expect((await gatehouse(["plan", system], env)).code).toBe(0);
  return stderr.trimEnd().split("\n");
}

/** The values that a user gets from the server. */
async function evaluate(
  entities: { gates?: string[]; dynamicConfigs?: string[] },
  user: WritableSchema<"PreviewUser">,
  environment = "production",
) {
  const named = [
    ...(entities.gates ?? []).map((id) => ({ type: "gate" as const, id })),
    ...(entities.dynamicConfigs ?? []).map((id) => ({ type: "dynamic_config" as const, id })),
  ];
  const { data } = await server.client.evaluateUsers({ body: { users: [user], environment, entities: named } });
  return data[0]?.results.map(({ value }) => value);
}

describe("import", () => {
  test("reads flagd: targeting, shared evaluators, shares and versions, and reports logic that it cannot express", async () => {
    expect(await imported("flagd")).toEqual([
      "! new-checkout divides users among variants. Gatehouse divides them again, so some users get another variant.",
      '! strange has targeting that cannot be expressed from part 1 on: {"<":[{"%":[{"var":"age"},2]},1]}',
      "! button color is button_color in Gatehouse, because IDs have only letters, digits, underscores, hyphens, and periods. Change it in your code.",
      "! button color has its value in the parameter `value`, because dynamic configs are objects.",
      "Converted 3 entities, with 4 notes. Next: gatehouse plan flagd",
    ]);
    expect(
      read("flagd/gates/new-checkout.yaml").rules.map((one: { passPercentage: number; conditions: object[] }) => [
        one.passPercentage,
        one.conditions,
      ]),
    ).toEqual([
      [100, [{ type: "email", operator: "str_ends_with_any", targetValue: ["@example.com"] }]],
      [25, [{ type: "country", operator: "any_case_sensitive", targetValue: ["DE", "AT"] }]],
      [0, [{ type: "public" }]],
    ]);
    expect(read("flagd/dynamicConfigs/button_color.yaml")).toMatchObject({
      defaultValue: { value: "#00f" },
      rules: [{ conditions: [{ type: "app_version", operator: "version_gte", targetValue: "2.0.0" }], returnValue: { value: "#f00" } }],
    });
  });

  test("reads Unleash: strategies, constraints and segments, without strategies that it does not know", async () => {
    expect(await imported("unleash")).toEqual([
      "! shop.support has several strategies. In Gatehouse the first rule that matches a user decides, and later ones are not tried.",
      "! shop.support has the strategy ownStrategy, which Gatehouse does not have. The rule was left out.",
      "Converted 3 entities, with 2 notes. Next: gatehouse plan unleash",
    ]);
    expect(read("unleash/gates/shop.checkout.yaml")).toMatchObject({
      tags: ["checkout"],
      rules: [
        {
          ...{ name: "A quarter", passPercentage: 25 },
          conditions: [
            { type: "custom_field", field: "plan", operator: "any_case_sensitive", targetValue: ["free"] },
            { type: "passes_segment", targetValue: "EU_users" },
          ],
        },
      ],
    });
    expect(read("unleash/gates/shop.support.yaml")).toMatchObject({ isEnabled: false, type: "PERMANENT" });
  });

  test("reads Unleash: a segment with no constraints has everyone, and one whose constraints are not in the export has no users", async () => {
    const segments = [
      { id: 1, name: "Testers" },
      { id: 2, name: "All", constraints: [] },
    ];
    const data = JSON.stringify({ features: [{ name: "beta" }], segments });
    const { stdout, stderr } = await gatehouse(["import", "unleash", "-", "--json"], {}, data);
    const everyone = { id: "rule_1", name: "Constraints", passPercentage: 100, conditions: [{ type: "public" }] };
    expect(JSON.parse(stdout).configuration.segments).toEqual([
      { id: "Testers", name: "Testers", type: "rule_based", rules: [] },
      { id: "All", name: "All", type: "rule_based", rules: [everyone] },
    ]);
    expect(stderr).toBe(
      "! Testers is a segment whose constraints are not in the export, so it has no users. Add its rules.\nConverted 3 entities, with 1 notes.\n",
    );
  });

  test("reads GrowthBook: one rule for environments that share it, and reports experiments and conditions that it cannot express", async () => {
    expect(await imported("growthbook")).toEqual([
      "! one-page-checkout has a partial rollout. Gatehouse divides users again, and users outside of it don't reach later rules.",
      "! one-page-checkout has a rule that was left out: rules of the type experiment-ref are experiments. Create the experiment in Gatehouse.",
      "! limits has a rule that was left out: its condition $or cannot be expressed.",
      "Converted 2 entities, with 3 notes. Next: gatehouse plan growthbook",
    ]);
    expect(read("growthbook/gates/one-page-checkout.yaml")).toMatchObject({
      disabledEnvironments: ["staging"],
      rules: [
        { name: "Staff", passPercentage: 100, environments: ["production", "staging"] },
        { name: "Some", passPercentage: 10, environments: ["production"] },
      ],
    });
    expect(read("growthbook/dynamicConfigs/limits.yaml").defaultValue).toEqual({ items: 10 });
  });

  test("reads LaunchDarkly: targets, rules, rollouts and environments, and reports prerequisites and operators that it cannot express", async () => {
    expect(await imported("launchdarkly")).toEqual([
      "! new.checkout has a percentage rollout. Gatehouse divides users again, so some users get another value.",
      '! theme has a rule in production that was left out: "visits before" cannot be expressed exactly.',
      "! theme has its value in the parameter `value`, because dynamic configs are objects.",
      "Converted 4 entities, with 3 notes. Next: gatehouse plan launchdarkly",
    ]);
    expect(
      read("launchdarkly/gates/new.checkout.yaml").rules.map((one: { name: string; passPercentage: number; environments: string[] }) => [
        one.name,
        one.passPercentage,
        one.environments,
      ]),
    ).toEqual([
      ["Everyone else 1", 100, ["staging"]],
      ["Targets of variation 0", 100, ["production"]],
      ["Beta", 100, ["production"]],
      ["Everyone else 4", 20, ["production"]],
    ]);
  });

  test("reads Statsig: launched gates and experiments to start again, without fields that Gatehouse does not have", async () => {
    expect(await imported("statsig")).toEqual([
      "! new_checkout has fields that Gatehouse does not have: dailyUsers.",
      "! checkout_color was running. Start it again in Gatehouse, where users get new groups.",
      "! dashboards is not a list that can be imported.",
      "Converted 2 entities, with 3 notes. Next: gatehouse plan statsig",
    ]);
    expect((await server.client.getGate({ path: { id: "new_checkout" } })).data.status).toBe("Launched");
    expect((await server.client.getExperiment({ path: { id: "checkout_color" } })).data.status).toBe("setup");
  });

  test("reads Flagsmith: values, shares and segments, without segments that it cannot express", async () => {
    expect(await imported("flagsmith")).toEqual([
      "! A tenth is a segment that was left out, because a part of it cannot be expressed.",
      "! fs_color divides users among values. Gatehouse divides them again, so some users get another value.",
      "! fs_color has its value in the parameter `value`, because dynamic configs are objects.",
      "Converted 3 entities, with 3 notes. Next: gatehouse plan flagsmith",
    ]);
    expect(await evaluate({ gates: ["fs_checkout"] }, { userID: "ann", appVersion: "1.9.0" })).toEqual([false]);
    expect(await evaluate({ gates: ["fs_checkout"] }, { userID: "ann", appVersion: "2.0.0" })).toEqual([true]);
    expect(
      read("flagsmith/dynamicConfigs/fs_color.yaml").rules[0].variants.map((one: { passPercentage: number; returnValue: object }) => [
        one.passPercentage,
        one.returnValue,
      ]),
    ).toEqual([
      [30, { value: "red" }],
      [70, { value: "blue" }],
    ]);
  });

  test("evaluates imported flags as their systems do", async () => {
    const gates = ["new-checkout", "shop.support", "one-page-checkout", "new.checkout"];
    expect(
      await evaluate(
        { gates, dynamicConfigs: ["button_color", "theme"] },
        { userID: "ann", email: "ann@example.com", appVersion: "2.1.0" },
      ),
    ).toEqual([...[true, false, true, true], ...[{ value: "#f00" }, { value: "light" }]]);
  });

  test("prints JSON with --json: the configuration, or with --out the files that it wrote", async () => {
    const printed = JSON.parse((await gatehouse(["import", "unleash", exportOf("unleash"), "--json"])).stdout);
    expect(Object.keys(printed)).toEqual(["configuration", "notes"]);
    const { stdout } = await gatehouse(["import", "unleash", exportOf("unleash"), "--out", "written", "--json"]);
    const { written, notes } = JSON.parse(stdout);
    expect(written).toContain(join("written", "gates", "shop.checkout.yaml"));
    expect(written.map((file: string) => read(file).id)).toHaveLength(3);
    expect(notes).toEqual(printed.notes);
  });

  test("refuses a file that is not an export", async () => {
    const { code, stderr } = await gatehouse(["import", "unleash", exportOf("flagd")]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^Error: \S+flagd\.json is not an export of unleash/)]);
    expect((await gatehouse(["import", "other", "x.json"])).stderr).toContain(
      "Systems: flagd, flagsmith, growthbook, launchdarkly, statsig, unleash.",
    );
  });
});
