import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluationClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createWorkspace, startServer } from "./servers.ts";

let server: Awaited<ReturnType<typeof startServer>>;
const { folder, gatehouse, remove } = createWorkspace();
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => {
  server?.stop();
  remove();
});

const clause = (attribute: string, op: string, values: unknown[], more = {}) => ({ attribute, op, values, ...more });
const rule = (...clauses: object[]) => ({ clauses });
const matches = (...values: string[]) => clause("", "segmentMatch", values);
/** A flag that is on for a segment. */
const flag = (key: string, segment: string) => ({
  ...{ key, kind: "boolean", variations: [{ value: true }, { value: false }] },
  environments: {
    production: { on: true, offVariation: 1, rules: [{ ...rule(matches(segment)), variation: 0 }], fallthrough: { variation: 1 } },
  },
});

async function imported(name: string, given: object) {
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(given));
  const { stderr, stdout } = await gatehouse(["import", "launchdarkly", `${name}.json`, "--json"]);
  const { configuration } = JSON.parse(stdout);
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(configuration));
  return { configuration, notes: stderr.split("\n").filter((line) => line.startsWith("! ")) };
}

describe("segments of LaunchDarkly", () => {
  test("have the same users in Gatehouse: included keys, then excluded ones, then those that match a rule", async () => {
    const segment = {
      ...{ key: "beta.users", name: "Beta users", tags: ["beta"], included: ["ann", "bob"], excluded: ["bob", "cid"] },
      includedContexts: [{ contextKind: "user", values: ["dan"] }],
      rules: [
        rule(clause("email", "endsWith", ["@a.example", "@B.example"])),
        rule(clause("plan", "in", ["free"], { negate: true }), matches("eu")),
      ],
    };
    const eu = { key: "eu", name: "EU", rules: [rule(clause("country", "in", ["DE", "FR"]))] };
    const { configuration, notes } = await imported("same", {
      items: [flag("beta", "beta.users")],
      segments: { production: [segment, eu] },
    });
    expect(notes).toEqual([]);
    expect(configuration.segments.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      ["beta_users", "Beta users"],
      ["eu_", "EU_"],
    ]);
    const applied = await gatehouse(["apply", "same.json"], { GATEHOUSE_URL: server.url, GATEHOUSE_KEY: server.key });
    expect(applied).toMatchObject({ code: 0 });
    const application = createEvaluationClient({ baseUrl: server.url, apiKey: server.key });
    const passes = async (userID: string, attributes: object = {}) => {
      const { value } = await application.checkGate({
        body: { gateName: "beta", user: { userID, ...attributes, statsigEnvironment: { tier: "production" } } },
      });
      return value;
    };
    for (const [userID, attributes, isIn] of [
      ["ann", {}, true],
      ["bob", {}, true],
      ["dan", {}, true],
      ["cid", { email: "cid@a.example" }, false],
      ["eve", { email: "eve@a.example" }, true],
      ["eve", { email: "eve@b.example" }, false],
      ["eve", { email: "eve@aXexample" }, false],
      ["eve", { country: "DE", custom: { plan: "pro" } }, true],
      ["eve", { country: "DE", custom: { plan: "free" } }, false],
      ["eve", { country: "DE" }, false],
      ["eve", { country: "US", custom: { plan: "pro" } }, false],
    ] as const)
      expect([userID, attributes, await passes(userID, attributes)]).toEqual([userID, attributes, isIn]);
  });

  test("become rules of one environment where environments differ", async () => {
    const production = [{ key: "staff", included: ["ann"], rules: [rule(clause("country", "in", ["DE"]))] }];
    const staging = [{ key: "staff", included: ["ann", "bob"], rules: [rule(clause("country", "in", ["DE"]))] }];
    const { configuration } = await imported("differing", { items: [], segments: { production, staging: { items: staging } } });
    const { rules } = configuration.segments[0];
    expect(rules.map(({ name, environments }: { name: string; environments?: string[] }) => [name, environments])).toEqual([
      ["Included 1", ["staging"]],
      ["Included 2", ["production"]],
      ["Rule", undefined],
    ]);
  });

  test("are left out and reported, with the reason and the flags that use them, if they would match different users", async () => {
    const segments = [
      { key: "big", unbounded: true },
      { key: "tenth", rules: [{ ...rule(), weight: 10_000 }] },
      { key: "firms", includedContexts: [{ contextKind: "organization", values: ["acme"] }] },
      { key: "later", rules: [rule(clause("born", "before", ["2000-01-01"]))] },
      { key: "others", rules: [rule(clause("email", "in", ["a@b.example"], { negate: true }))] },
      { key: "inner", rules: [rule(matches("big"))] },
      { key: "outer", rules: [rule(matches("inner"))] },
      { key: "gone", deleted: true, unbounded: true },
      { key: "whole", rules: [{ ...rule(clause("age", "greaterThan", [17])), weight: 100_000 }] },
    ];
    const { configuration, notes } = await imported("left", {
      items: [flag("beta", "outer"), flag("adult", "whole")],
      segments: { production: segments },
    });
    expect(configuration.segments.map(({ id }: { id: string }) => id)).toEqual(["whole"]);
    const because = "is a segment that was left out, because";
    expect(notes).toEqual([
      `! big ${because} it is a big segment (the API does not list its users) in production.`,
      `! tenth ${because} it has a rule for a percentage of users (Gatehouse would pick other users) in production.`,
      `! firms ${because} it lists contexts of the kind organization in production.`,
      `! later ${because} born before cannot be expressed exactly in production.`,
      `! others ${because} email not in cannot be expressed exactly in production.`,
      `! inner ${because} it uses the segment big, which was not imported.`,
      `! outer ${because} it uses the segment inner, which was not imported.`,
      "! outer is a segment that was not imported. Create it before you apply the files. Used by: beta.",
    ]);
  });
});
