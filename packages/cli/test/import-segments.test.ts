import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluationClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { importLaunchDarkly } from "../src/import/launchdarkly.ts";
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
      ...{ key: "beta.users", name: "Beta users 1.0", tags: ["beta"], included: ["ann", "bob"], excluded: ["bob", "cid"] },
      includedContexts: [{ contextKind: "user", values: ["dan"] }],
      rules: [
        rule(clause("email", "endsWith", ["@a.example", "@B.example"])),
        rule(clause("plan", "in", ["free"], { negate: true }), matches("eu")),
      ],
    };
    const eu = { key: "eu", name: "EU", rules: [rule(clause("country", "in", ["DE", "FR"]))] };
    const { configuration, notes } = await imported("same", {
      items: [flag("beta", "beta.users")],
      segments: { production: [segment, eu, { key: "v1.2", included: ["fay"] }] },
    });
    expect(notes).toEqual([]);
    expect(configuration.segments.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      ["beta_users", "Beta users 1.0"],
      ["eu_", "EU_"],
      ["v1_2", "v1.2"],
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
      ["eve", { ip: "85.214.132.117", custom: { plan: "pro" } }, false],
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

  test.each<[string, object, string]>([
    ["keys in different case", { included: ["Ann", "ann"] }, "it includes keys that differ only in case"],
    [
      "excluded keys in different case",
      { excluded: ["Ann"], excludedContexts: [{ values: ["ann"] }] },
      "it excludes keys that differ only in case",
    ],
    ["a rule without conditions", { rules: [rule()] }, "it has a rule without conditions"],
    ["values in different case", { rules: [rule(clause("plan", "in", ["Pro", "pro"]))] }, "plan in has values that differ only in case"],
    ["a number", { rules: [rule(clause("level", "in", [1, "a"]))] }, "level in has a value that is not a text, or is empty"],
    ["the text of a number", { rules: [rule(clause("level", "in", ["1"]))] }, "level in has a text that equals a number or a Boolean"],
    [
      "a digit",
      { rules: [rule(clause("zip", "startsWith", ["1"]))] },
      "zip startsWith has a text that can be a part of a number or a Boolean",
    ],
    [
      "a long pattern",
      { rules: [rule(clause("email", "contains", ["a".repeat(996)]))] },
      "email contains becomes a pattern of 1,000 characters or more, which never matches",
    ],
    [
      "a long regular expression",
      { rules: [rule(clause("email", "matches", ["a".repeat(1000)]))] },
      "email matches becomes a pattern of 1,000 characters or more, which never matches",
    ],
    ["another attribute's expression", { rules: [rule(clause("plan", "matches", ["^p"]))] }, "plan matches cannot be expressed exactly"],
    ["a version", { rules: [rule(clause("app", "semVerEqual", ["1.2.3"]))] }, "app semVerEqual cannot be expressed exactly"],
    [
      "a negated comparison",
      { rules: [rule(clause("age", "lessThan", [18], { negate: true }))] },
      "age not lessThan cannot be expressed exactly",
    ],
    ["the text of an age", { rules: [rule(clause("age", "lessThan", ["18"]))] }, "age lessThan cannot be expressed exactly"],
    ...["id", "userId", "user_id", "targetingKey", "Key", "kind", "/address/city", "ip", "locale", "app_version"].map(
      (attribute): [string, object, string] => [
        `the attribute ${attribute}`,
        { rules: [rule(clause(attribute, "in", ["a"]))] },
        `${attribute} in tests an attribute that Gatehouse does not read in the same way`,
      ],
    ),
    ...["\\d", "\\w", "\\s", "\\bx", "(?i)a", "(?=a)", "a++", "[[a]]", "a{1000}"].map((pattern): [string, object, string] => [
      `the expression ${pattern}`,
      { rules: [rule(clause("email", "matches", [pattern]))] },
      "email matches cannot be expressed exactly",
    ]),
  ])("are left out with their reason if they have %s", (_, segment, reason) => {
    const { configuration, notes } = importLaunchDarkly({ items: [], segments: { production: [{ key: "tested", ...segment }] } });
    expect(configuration.segments).toBeUndefined();
    expect(notes).toEqual([{ flag: "tested", message: `is a segment that was left out, because ${reason} in production.` }]);
  });

  test("have patterns below the limit, and regular expressions that all engines read alike", () => {
    const clauses = [
      clause("email", "contains", ["a".repeat(995)]),
      clause("email", "matches", ["^[a-z.]+(?:x|y){1,2}@a\\.example$"]),
      clause("key", "in", ["1", "true"]),
    ];
    const { configuration, notes } = importLaunchDarkly({
      items: [],
      segments: { production: [{ key: "tested", rules: [rule(...clauses)] }] },
    });
    expect(notes).toEqual([]);
    expect(configuration.segments?.[0]).toMatchObject({
      rules: [
        {
          conditions: [
            { type: "email", operator: "str_matches", targetValue: `(?:${"a".repeat(995)})` },
            { type: "email", operator: "str_matches", targetValue: "^[a-z.]+(?:x|y){1,2}@a\\.example$" },
            { type: "user_id", operator: "any_case_sensitive", targetValue: ["1", "true"] },
          ],
        },
      ],
    });
  });

  test("never get the ID of another segment, even of one that was left out or that only flags match", () => {
    const production = [
      { key: "beta.users", included: ["ann"] },
      { key: "beta_users", unbounded: true },
      { key: "new.users", included: ["ann"] },
      { key: "old.users", unbounded: true },
    ];
    const items = ["beta.users", "beta_users", "new.users", "new_users", "old.users"].map((segment, index) =>
      flag(`flag${index}`, segment),
    );
    const { configuration, notes } = importLaunchDarkly({ items, segments: { production } });
    expect(configuration.segments?.map(({ id }) => id)).toEqual(["beta_users_2", "new_users_2"]);
    const targets = (configuration.gates as { rules: { conditions: { targetValue?: unknown }[] }[] }[]).map(
      ({ rules }) => rules[0]?.conditions[0]?.targetValue,
    );
    expect(targets).toEqual(["beta_users_2", "beta_users", "new_users_2", "new_users", "old_users"]);
    expect(notes.slice(-3).map(({ flag: segment, message }) => `${segment} ${message}`)).toEqual([
      "beta_users is a segment that was not imported. Create it before you apply the files. Used by: flag1.",
      "new_users is a segment that was not imported. Create it before you apply the files. Used by: flag3.",
      "old.users is a segment that was not imported. Create it with the ID old_users before you apply the files. Used by: flag4.",
    ]);
  });
});
