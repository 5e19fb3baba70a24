import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluationClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkspace, startServer } from "./servers.ts";

let server: Awaited<ReturnType<typeof startServer>>;
let env: Record<string, string>;
const { folder, gatehouse, remove } = createWorkspace();

beforeAll(async () => {
  server = await startServer();
  env = { GATEHOUSE_URL: server.url, GATEHOUSE_KEY: server.key };
});
afterAll(() => {
  server?.stop();
  remove();
});

const write = (name: string, value: object) => writeFileSync(join(folder, name), JSON.stringify(value));
/** A gate that passes the users of a plan. */
const gate = (plan: string) => ({
  id: "checkout",
  name: "checkout",
  rules: [
    {
      id: "plan",
      name: "Plan",
      passPercentage: 100,
      conditions: [{ type: "custom_field", field: "plan", operator: "any_case_sensitive", targetValue: [plan] }],
    },
  ],
});

describe("apply --prune", () => {
  test("archives or deletes the entities that the files lack, of the kinds that they have", async () => {
    await server.client.createGate({ body: { name: "old", id: "old" } });
    await server.client.createTag({ body: { name: "kept" } });
    write("project.json", { gates: [gate("pro")] });
    expect((await gatehouse(["apply", "project.json"], env)).stdout).toBe("✓ gates/checkout created\nApplied 1 changes.\n");
    const plan = await gatehouse(["plan", "project.json", "--prune"], env);
    expect([plan.code, plan.stdout]).toEqual([2, "- gates/old will be archived\n\n1 change: 1 to remove.\n"]);
    expect((await gatehouse(["apply", "project.json", "--prune"], env)).stdout).toBe("✓ gates/old removed\nApplied 1 changes.\n");
    expect((await server.client.getGate({ path: { id: "old" } })).data).toMatchObject({ status: "Archived" });
    expect((await server.client.listTags()).data.map(({ name }) => name)).toContain("kept");
  });
});

describe("a key", () => {
  test("is shown by whoami with its role, scopes and limits only if it may read keys", async () => {
    const { data: limited } = await server.client.createKey({
      body: {
        ...{ type: "CONSOLE" as const, description: "Deploys to staging.", role: "Admin" },
        scopes: ["omni_read_write", "can_access_keys"],
        environments: ["staging"],
      },
    });
    const { stdout } = await gatehouse(["whoami"], { ...env, GATEHOUSE_KEY: limited.key ?? "" });
    expect(stdout.split("\n").slice(1)).toEqual([
      "Description: Deploys to staging.",
      "Role: Admin",
      "Scopes: omni_read_write, can_access_keys",
      "Environments: staging",
      "",
    ]);
    const { data: reader } = await server.client.createKey({
      body: { type: "CONSOLE", description: "Reads.", scopes: ["omni_read_only"] },
    });
    const shown = await gatehouse(["whoami"], { ...env, GATEHOUSE_KEY: reader.key ?? "" });
    expect([shown.stdout.trimEnd().split("\n").length, shown.stderr]).toEqual([
      1,
      "This key can’t read keys, so its role and scopes aren’t shown.\n",
    ]);
  });
});

test("experiments list includes archived ones only with --archived", async () => {
  for (const name of ["running", "past"]) await server.client.createExperiment({ body: { name } });
  await server.client.archiveExperiment({ path: { id: "past" } });
  const list = async (...options: string[]) => {
    const { stdout } = await gatehouse(["experiments", "list", "--json", ...options], env);
    return JSON.parse(stdout).map(({ id }: { id: string }) => id);
  };
  expect([await list(), await list("--archived")]).toEqual([["running"], ["past", "running"]]);
});

describe("plan", () => {
  test("shows only the differences from the defaults in the first plan of settings", async () => {
    write("defaults.json", { settings: [{ visibility: "OPEN", default_unit_type: "userID", timeZone: "Europe/Berlin" }] });
    const { code, stdout, stderr } = await gatehouse(["plan", "defaults.json", "--impact", "0"], env);
    expect([code, stdout + stderr]).toEqual([2, '~ settings/settings\n    timeZone: "UTC" → "Europe/Berlin"\n\n1 change: 1 to update.\n']);
  });

  test("shows how many recent users get another value, and the reviews that are needed", async () => {
    const { data: key } = await server.client.createKey({ body: { type: "SERVER", description: "application" } });
    const application = createEvaluationClient({ baseUrl: server.url, apiKey: key.key ?? "" });
    const exposure = (userID: string, plan: string) => ({
      eventName: "statsig::gate_exposure",
      user: { userID, custom: { plan } },
      metadata: { gate: "checkout", gateValue: "false" },
    });
    await application.logEvent({ body: { events: [exposure("ann", "pro"), exposure("bob", "free"), exposure("eve", "free")] } });
    const { environments } = (await server.client.getEnvironments()).data;
    // No later test of this project can change production.
    const reviewed = environments.map((one) => ({ ...one, requiresReview: one.isProduction }));
    await server.client.updateEnvironments({ body: { environments: reviewed } });
    write("project.json", { gates: [gate("free")] });
    const { code, stdout } = await gatehouse(["plan", "project.json"], env);
    expect([code, stdout.split("\n").slice(-6)]).toEqual([
      2,
      [
        "1 change: 1 to update.",
        "Impact in production: 3 of 3 recent users would get another value.",
        "    checkout: false → true for 2 users",
        "    checkout: true → false for 1 user",
        "A review is needed: production",
        "",
      ],
    ]);
    expect((await gatehouse(["plan", "project.json", "--impact", "0"], env)).stdout).not.toContain("Impact");
  });
});
