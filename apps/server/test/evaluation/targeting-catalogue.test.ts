import type { Schema } from "@gatehouse/contract/console";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newCondition, withExtra, withOperator, withValue } from "../../../web/src/targeting/condition-draft.ts";
import { findFaults } from "../../../web/src/targeting/condition-faults.ts";
import { CONDITION_TYPES, inputFor, offeredTypes } from "../../../web/src/targeting/condition-types.ts";
import { OPERATORS, type ValueInput } from "../../../web/src/targeting/operators.ts";
import type { Violation } from "../../src/common/errors.ts";
import { checkCondition } from "../../src/console/common/condition.ts";
import { changeRules, newSegment } from "../../src/console/segments/segment.ts";
import { startServer, type TestServer } from "../support/server.ts";

type Condition = Schema<"Condition">;
type Type = Condition["type"];
type Operator = keyof typeof OPERATORS;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const TYPES = Object.keys(CONDITION_TYPES) as Type[];
const DAY_MS = 86_400_000;
const TODAY = 20_000 * DAY_MS;

/** A value for each input of the catalogue. Free-text inputs get `a`, or the text that the operator compares with it. */
const VALUES: Record<ValueInput, Condition["targetValue"]> = {
  none: undefined,
  list: ["a"],
  text: "a",
  number: 5,
  version: "2.0",
  time: TODAY,
  day: TODAY,
  gate: "near",
  segment: "near_segment",
  "segment-list": "near_list",
  countries: ["NO"],
  environments: ["staging"],
  "target-apps": ["web"],
  "experiment-groups": ["Test"],
};

/** Values with which an operator tells the two users apart, where those above do not. */
const OTHER_VALUES: Partial<Record<Operator, Condition["targetValue"]>> = {
  gt: 4,
  lt: 6,
  version_gt: "1",
  version_lt: "3",
  version_neq: "3",
  before: TODAY + DAY_MS,
  after: TODAY - DAY_MS,
  array_contains_none: ["z"],
  not_array_contains_all: ["z"],
};

/** The custom field whose value an operator can compare. */
const FIELD_OF = { text: "text", number: "number", version: "version", date: "date", list: "list", presence: "text", segment: "text" };

function extraFor(type: Type, operator: Operator): string {
  if (type === "unit_id") return "companyID";
  return type === "experiment_group" ? "wording" : FIELD_OF[OPERATORS[operator].kind];
}

function sample(type: Type, operator: Operator | undefined): Condition {
  const input = inputFor(type, operator);
  const made = newCondition(type);
  if (operator === undefined) return withValue(made, VALUES[input]) as Condition;
  const isCountry = type === "country" && input === "list";
  const value = isCountry ? ["NO"] : (OTHER_VALUES[operator] ?? (type.endsWith("version") && input === "list" ? ["2.0"] : VALUES[input]));
  return withValue(withOperator(withExtra(made, extraFor(type, operator)), operator), value) as Condition;
}

/** Every type with every operator that the catalogue offers. */
const SAMPLES: [string, Condition][] = offeredTypes("flag")
  .flatMap(({ types }) => types)
  .flatMap((type): [string, Condition][] => {
    const { operators } = CONDITION_TYPES[type];
    if (operators.length === 0) return [[type, sample(type, undefined)]];
    return operators.map((operator) => [`${type} ${operator}`, sample(type, operator)]);
  });

function findViolations(condition: Condition): Violation[] {
  const violations: Violation[] = [];
  checkCondition(condition, "", violations);
  return violations;
}

/** A user with all properties, and one without any. */
const near = {
  userID: "a",
  customIDs: { companyID: "a" },
  email: "a",
  ip: "a",
  userAgent: "a",
  country: "NO",
  locale: "a",
  appVersion: "2.0",
  custom: {
    text: "a",
    number: 5,
    version: "2.0",
    date: TODAY,
    list: ["a"],
    deviceModel: "a",
    os_name: "a",
    os_version: "2.0",
    browser_name: "a",
    browser_version: "2.0",
  },
  statsigEnvironment: { tier: "staging" },
};
const far = { customIDs: { stableID: "z" }, statsigEnvironment: { tier: "production" } };
/** Types that depend on neither user: everyone, the time, and the key's target apps. */
const SAME_FOR_ALL: Type[] = ["public", "time", "target_app"];

describe("the conditions that the console offers", () => {
  test.each(SAMPLES)("%s: the server takes a value of the offered shape, and the console finds no fault in it", (_, condition) => {
    expect(findViolations(condition)).toEqual([]);
    expect(findFaults(condition)).toEqual([]);
  });

  test("are stored, and each tells a user who has everything from one who has nothing", async () => {
    const { client } = server;
    const nearRule = {
      name: "Near",
      passPercentage: 100,
      conditions: [{ type: "email" as const, operator: "any" as const, targetValue: ["a"] }],
    };
    await client.createGate({ body: { name: "near", rules: [nearRule] } });
    await client.createSegment({ body: { name: "near_segment", type: "rule_based", rules: [nearRule] } });
    await client.createUnitIDType({ body: { name: "companyID", description: "" } });
    await client.createTargetApp({ body: { name: "web" } });
    await client.createExperiment({
      body: {
        name: "wording",
        targetingGateID: "near",
        allocation: 100,
        groups: [{ name: "Test", id: "test", size: 100, parameterValues: {} }],
      },
    });
    await client.startExperiment({ path: { id: "wording" } });
    const entities = [];
    for (const [index, [name, condition]] of SAMPLES.entries()) {
      const { data } = await client.createGate({
        body: { name: `sample ${index}`, rules: [{ name, passPercentage: 100, conditions: [condition] }] },
      });
      expect(data.rules[0]?.conditions).toEqual([condition]);
      if (!SAME_FOR_ALL.includes(condition.type)) entities.push({ type: "gate" as const, id: data.id, name });
    }
    const { data } = await client.evaluateUsers({
      body: { users: [near, far], entities: entities.map(({ type, id }) => ({ type, id })) },
    });
    const [ofNear, ofFar] = data.map(({ results }) => results.map(({ value }) => value));
    const alike = entities.filter((_, index) => ofNear?.[index] === ofFar?.[index]).map(({ name }) => name);
    expect(entities.length).toBeGreaterThan(100);
    expect(alike).toEqual([]);
  });

  test("of a segment are those that segments take", () => {
    const context = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "default", operationID: "test", now: 1 };
    const segment = newSegment({ name: "staff", type: "rule_based" }, context);
    const takes = (type: Type) => {
      const operator = CONDITION_TYPES[type].operators[0];
      try {
        changeRules(segment, [{ name: "R", passPercentage: 1, conditions: [sample(type, operator)] }], context);
        return true;
      } catch {
        return false;
      }
    };
    expect(TYPES.filter((type) => CONDITION_TYPES[type].inSegments)).toEqual(TYPES.filter(takes));
  });
});

test("the console finds an error in every condition that the server refuses", () => {
  const value = fc.oneof(fc.constantFrom("a", "", "5"), fc.integer());
  const condition: fc.Arbitrary<Condition> = fc.record(
    {
      type: fc.constantFrom(...TYPES),
      operator: fc.constantFrom<Condition["operator"]>(...(Object.keys(OPERATORS) as Operator[]), "", null),
      targetValue: fc.oneof(value, fc.array(value, { maxLength: 2 }), fc.constant(null)),
      field: fc.constantFrom("f", "", null),
      customID: fc.constantFrom("u", "", null),
    },
    { requiredKeys: ["type"] },
  );
  fc.assert(
    fc.property(condition, (given) => {
      const isRefused = findViolations(given).length > 0;
      const hasError = findFaults(given).some(({ level }) => level === "error");
      expect(hasError || !isRefused).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});
