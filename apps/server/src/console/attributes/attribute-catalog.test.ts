import { describe, expect, test } from "vitest";
import { buildProject } from "../../../test/support/evaluated-project.ts";
import { type Attribute, undescribed } from "./attribute.ts";
import { catalog } from "./attribute-catalog.ts";
import { usedAttributes } from "./attribute-uses.ts";
import type { SeenUser } from "./seen-users.ts";

function user(userID: string, fields: SeenUser["fields"], time = 1000): SeenUser {
  return { key: userID, userID, environment: "production", fields, time };
}

const custom = (userID: string, fields: Record<string, unknown>, time?: number) => user(userID, { custom: fields }, time);

function learn(seen: SeenUser[], described: Attribute[] = [], uses: Parameters<typeof catalog>[0]["uses"] = new Map()) {
  return new Map(catalog({ seen, described, uses, now: 5000 }).map((attribute) => [attribute.id, attribute]));
}

describe("catalog", () => {
  test("has every standard field and the environment before anybody was seen", () => {
    const attributes = learn([]);
    expect([...attributes.keys()]).toEqual([
      ...["appVersion", "country", "email", "ip", "locale", "statsigEnvironment.tier", "userAgent", "userID"],
    ]);
    expect(attributes.get("email")).toEqual({
      ...undescribed("email"),
      ...{ kind: "standard", types: [], userShare: null, distinctValues: 0, values: [], rules: 0, lastSeenTime: null },
    });
  });

  test("shows values that three users share, with their shares, and counts the others", () => {
    const seen = ["a", "b", "c", "d"].map((id) => custom(id, { plan: id === "d" ? "only mine" : "pro" }));
    expect(learn(seen).get("plan")).toMatchObject({
      ...{ kind: "custom", types: ["string"], userShare: 1, distinctValues: 2, lastSeenTime: 1000 },
      values: [{ value: "pro", userShare: 0.75, rules: 0 }],
    });
  });

  test("counts a user once, as the newest exposure shows it", () => {
    const seen = [custom("a", { plan: "pro" }, 3), custom("a", { plan: "free" }, 2), custom("a", { plan: "free" }, 1)];
    expect(learn(seen).get("plan")).toMatchObject({ distinctValues: 1, values: [], lastSeenTime: 3 });
  });

  test("never shows the values of fields that tell who somebody is", () => {
    const seen = ["a", "b", "c"].map((id) =>
      user(id, { email: "team@example.com", ip: "10.1.2.3", custom: { Email: "team@example.com" } }),
    );
    const attributes = learn(seen);
    for (const name of ["email", "ip", "Email"])
      expect(attributes.get(name)).toMatchObject({ userShare: 1, distinctValues: 1, values: [] });
  });

  test("shows no values of a hidden attribute", () => {
    const seen = ["a", "b", "c"].map((id) => custom(id, { plan: "pro" }));
    const hidden = { ...undescribed("plan"), isHidden: true, version: 1 };
    expect(learn(seen, [hidden]).get("plan")).toMatchObject({ isHidden: true, values: [] });
  });

  test("tells the types of values, and takes items of lists for values", () => {
    const values = [["a", 1], true, 7, { name: "pro" }, null, ""];
    const seen = values.map((value, index) => custom(`user ${index}`, { mixed: value, roles: ["admin"] }));
    const attributes = learn(seen);
    expect(attributes.get("mixed")).toMatchObject({ types: ["number", "boolean", "list", "object"], distinctValues: 4 });
    expect(attributes.get("roles")).toMatchObject({ types: ["list"], values: [{ value: "admin", userShare: 1, rules: 0 }] });
  });

  test("takes a custom field for the standard field with its name only if that is missing", () => {
    const seen = ["a", "b", "c"].map((id) => user(id, { ...(id === "a" && { country: "SE" }), custom: { country: "NO" } }));
    expect(learn(seen).get("country")).toMatchObject({ kind: "standard", distinctValues: 2, userShare: 1 });
  });

  test("leaves out an attribute that is no longer described unless a user or a rule has it", () => {
    const cleared = { ...undescribed("plan"), version: 2 };
    expect(learn([], [cleared]).has("plan")).toBe(false);
    expect(learn([custom("a", { plan: "pro" })], [cleared]).get("plan")).toMatchObject({ version: 2 });
  });

  test("has at most 1,000 custom fields, and no longer name than 100 characters", () => {
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`field ${index}`, 1]));
    expect([...learn([custom("a", { ["x".repeat(101)]: 1, ...many })]).keys()].filter((name) => name.startsWith("field"))).toHaveLength(
      1_000,
    );
  });

  test("takes a time in the future for now", () => {
    expect(learn([custom("a", { plan: "pro" }, 9000)]).get("plan")?.lastSeenTime).toBe(5000);
  });
});

describe("usedAttributes", () => {
  const rule = (...conditions: object[]) => ({ id: "r", name: "R", passPercentage: 100, conditions });
  const plan = (...targetValue: string[]) => ({ type: "custom_field", field: "plan", operator: "any", targetValue });

  test("counts a rule once for each attribute and each value that it compares with, unless its gate is archived", () => {
    const rules = [rule(plan("pro"), plan("pro", "team"), { type: "country", operator: "any", targetValue: ["NO"] }), rule(plan("pro"))];
    const project = buildProject({
      gates: [
        { id: "used", rules },
        { id: "old", status: "Archived", rules },
      ] as never,
    });
    const uses = usedAttributes(project);
    expect(uses.get("plan")).toEqual({
      rules: 2,
      values: new Map([
        ["pro", 2],
        ["team", 1],
      ]),
    });
    expect(uses.get("country")).toEqual({ rules: 1, values: new Map([["NO", 1]]) });
    expect(usedAttributes(project)).toEqual(uses);
  });

  test("notes no parts of values, and no addresses of people", () => {
    const conditions = [
      { type: "custom_field", field: "plan", operator: "str_contains_any", targetValue: ["pr"] },
      { type: "email", operator: "any", targetValue: ["ada@example.com"] },
    ];
    const uses = usedAttributes(buildProject({ gates: [{ id: "used", rules: [rule(...conditions)] }] as never }));
    expect([...uses].map(([name, { values }]) => [name, values.size])).toEqual([
      ["plan", 0],
      ["email", 0],
    ]);
  });
});
