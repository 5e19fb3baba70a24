import { describe, expect, test } from "vitest";
import { type Condition, createEvaluator, type EvaluatorOptions, hashID, type Ruleset, type User } from "../src/index.ts";
import { condition, gate, rule, ruleset } from "./support/ruleset.ts";

type Given = { user: User; options?: EvaluatorOptions; more?: Partial<Ruleset> };

function holds(type: string, given: Partial<Condition>, { user, options, more }: Given): boolean {
  const gates = [gate("g", [rule("r", { conditions: [condition(type, given)] })])];
  return createEvaluator({ ...ruleset({ feature_gates: gates }), ...more } as Ruleset, options).gate("g", user).value;
}

const is = (targetValue: string) => ({ operator: "any", targetValue: [targetValue] });

describe("a user's field", () => {
  const reads = (field: string, user: User, value: string) => holds("user_field", { field, ...is(value) }, { user });

  test("is found in any case and with an underscore", () => {
    const user = { userID: "a", email: "b", ip: "c", country: "d", locale: "e", appVersion: "f", userAgent: "g" };
    const fields = {
      userID: "a",
      USERID: "a",
      user_id: "a",
      email: "b",
      IP: "c",
      Country: "d",
      locale: "e",
      app_version: "f",
      userAgent: "g",
    };
    for (const [field, value] of Object.entries(fields)) expect(reads(field, user, value)).toBe(true);
  });

  test("is the user's own unless that is empty, then custom, then private, each as written before in lower case", () => {
    const privateAttributes = { email: "private", plan: "private" };
    expect(reads("email", { email: "own", custom: { email: "custom" }, privateAttributes }, "own")).toBe(true);
    expect(reads("email", { email: "", custom: { email: "custom" }, privateAttributes }, "custom")).toBe(true);
    expect(reads("email", { email: null, privateAttributes }, "private")).toBe(true);
    expect(reads("Plan", { custom: { plan: "lower", Plan: "written" } }, "written")).toBe(true);
    expect(reads("Plan", { custom: { plan: "lower" }, privateAttributes }, "lower")).toBe(true);
  });

  test("that is null in custom hides the private one", () => {
    expect(reads("plan", { custom: { plan: null }, privateAttributes: { plan: "private" } }, "private")).toBe(false);
  });

  test("ignores inherited properties and values that are not attributes", () => {
    for (const field of ["constructor", "toString", "__proto__", "custom"]) expect(reads(field, { custom: {} }, "")).toBe(true);
  });
});

describe("a unit's id", () => {
  const unit = (idType: string, user: User, value: string) => holds("unit_id", { idType, ...is(value) }, { user });

  test("is the user's for userID in any case, else the custom one, in any case", () => {
    const user = { userID: "alice", customIDs: { companyID: "acme", userID: "custom" } };
    for (const idType of ["userID", "userid", "USERID"]) expect(unit(idType, user, "alice")).toBe(true);
    for (const idType of ["companyID", "companyid", "COMPANYID"]) expect(unit(idType, user, "acme")).toBe(true);
    expect(unit("stableID", user, "")).toBe(true);
  });

  test("is the first of several whose names differ in case alone, unless one is as written", () => {
    const customIDs = { CompanyId: "first", companyid: "second", COMPANYID: "third" };
    expect(unit("companyID", { customIDs }, "first")).toBe(true);
    expect(unit("companyid", { customIDs }, "second")).toBe(true);
    expect(unit("companyID", { customIDs: { companyID: null, companyid: "other" } }, "")).toBe(true);
  });

  test("is found without looking through the names again for each rule", () => {
    let looks = 0;
    const ids = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`ID_${index}`, `value_${index}`]));
    const customIDs = new Proxy(ids, {
      ownKeys(target) {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    });
    const gates = Array.from({ length: 200 }, (_, index) =>
      gate(`gate_${index}`, [
        rule("r", { idType: `id_${index}`, passPercentage: 50, conditions: [condition("unit_id", { idType: `id_${index}`, ...is("x") })] }),
        rule("s", { idType: `id_${index}`, passPercentage: 50, conditions: [condition("public")] }),
      ]),
    );
    createEvaluator(ruleset({ feature_gates: gates })).decideAll({ customIDs });
    expect(looks).toBe(1);
  });

  test("may be a number, which reads as its digits", () => {
    expect(unit("userID", { userID: 123 }, "123")).toBe(true);
    expect(unit("userID", { userID: 1e21 }, "1000000000000000000000")).toBe(true);
    expect(unit("n", { customIDs: { n: 2.5e-7 } }, "0.00000025")).toBe(true);
  });

  test("puts the user into one of a thousand buckets", () => {
    const { gate: evaluate } = createEvaluator(
      ruleset({
        feature_gates: [gate("g", [rule("r", { conditions: [bucket({ operator: "lt", targetValue: 250 })] })])],
      }),
    );
    const passing = Array.from({ length: 4000 }, (_, index) => evaluate("g", { userID: `user_${index}` }).value).filter(Boolean);
    expect(passing.length / 4000).toBeCloseTo(0.25, 1);
  });
});

const bucket = (given: Partial<Condition>) => condition("user_bucket", { additionalValues: { salt: "salt" }, ...given });

describe("a user's environment", () => {
  const tier = (value: string, given: Given) => holds("environment_field", { field: "tier", ...is(value) }, given);
  const more = { default_environment: "production" };

  test("is what the application set, or else the ruleset's default", () => {
    expect(tier("staging", { user: { statsigEnvironment: { tier: "staging" } }, more })).toBe(true);
    expect(tier("production", { user: {}, more })).toBe(true);
    expect(tier("production", { user: { statsigEnvironment: { region: "eu" } }, more })).toBe(true);
    expect(tier("production", { user: {} })).toBe(false);
  });
});

describe("the present time", () => {
  const after = (options?: EvaluatorOptions) =>
    holds("current_time", { operator: "after", targetValue: 1_800_000_000_000 }, { user: {}, options });

  test("is what was given, as a number or a function, or else when the ruleset last changed", () => {
    expect(after({ now: 1_800_000_000_001 })).toBe(true);
    expect(after({ now: () => 1_800_000_000_001 })).toBe(true);
    expect(after({ now: 1_800_000_000_000 })).toBe(false);
    expect(after()).toBe(false);
  });
});

describe("the country", () => {
  const country = (user: User, value: string, options?: EvaluatorOptions) =>
    holds("ip_based", { field: "country", ...is(value) }, { user, options });

  test("is the user's, or else that of the address", () => {
    expect(country({ country: "NZ", ip: "8.8.8.8" }, "NZ")).toBe(true);
    expect(country({ ip: "8.8.8.8" }, "US")).toBe(true);
  });

  test("is unknown for an address that cannot be looked up", () => {
    for (const ip of ["127.0.0.1", "2001:4860:4860::8888", "8.8.8", "8.8.8.x", "not an address"]) expect(country({ ip }, "")).toBe(true);
  });

  test("comes from the application's own source where it has one", () => {
    expect(country({ ip: "8.8.8.8" }, "DE", { ipToCountry: () => "DE" })).toBe(true);
    expect(country({ ip: "8.8.8.8" }, "", { ipToCountry: () => null })).toBe(true);
  });
});

describe("an id list", () => {
  const inList = (userID: string, options: EvaluatorOptions, operator = "in_segment_list", name = "friends") =>
    holds("unit_id", { operator, targetValue: name }, { user: { userID }, options });

  test("holds the hashes of ids", () => {
    const options = { idLists: { friends: [hashID("alice")] } };
    expect([inList("alice", options), inList("bob", options)]).toEqual([true, false]);
    expect([inList("alice", options, "not_in_segment_list"), inList("bob", options, "not_in_segment_list")]).toEqual([false, true]);
  });

  test("that does not exist matches no users", () => {
    expect([inList("alice", {}), inList("alice", {}, "not_in_segment_list")]).toEqual([false, true]);
    expect(inList("alice", { idLists: {} }, "in_segment_list", "constructor")).toBe(false);
  });

  test("that is a Set may change while it is in use", () => {
    const friends = new Set<string>();
    const gates = [gate("g", [rule("r", { conditions: [condition("unit_id", { operator: "in_segment_list", targetValue: "friends" })] })])];
    const evaluator = createEvaluator(ruleset({ feature_gates: gates }), { idLists: { friends } });
    expect(evaluator.gate("g", { userID: "alice" }).value).toBe(false);
    friends.add(hashID("alice"));
    expect(evaluator.gate("g", { userID: "alice" }).value).toBe(true);
  });
});

test("target_app compares the ruleset's app", () => {
  expect(holds("target_app", is("web"), { user: {}, more: { app_id: "web" } })).toBe(true);
  expect(holds("target_app", is("web"), { user: {} })).toBe(false);
});
