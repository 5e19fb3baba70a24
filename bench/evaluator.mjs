// The evaluator without a server: µs per check and ms per initialize response, with one SHA-256 by node:crypto in the same rounds for
// comparison.
import { createHash } from "node:crypto";
import { createEvaluator } from "@gatehouse/evaluation";

const ROUNDS = 5;
const CHECKS = 100_000;
const GATES = 1000;
const RESPONSES = 40;
const NOW = 1_767_920_036_437;

export function measureEvaluator() {
  const evaluator = createEvaluator(ruleset(), { now: NOW });
  const users = Array.from({ length: 1000 }, (_, index) => user(index));
  const check = (name) => (index) => evaluator.gate(name, users[index % users.length]).value;
  const measures = [
    { title: "SHA-256 by node:crypto", run: (index) => createHash("sha256").update(`salt.rule.user_${index}`).digest(), times: CHECKS },
    { title: "check, public rule", run: check("public"), times: CHECKS, unit: "µs", target: 2 },
    { title: "check, 10 conditions", run: check("ten"), times: CHECKS, unit: "µs", target: 5 },
    {
      title: `initialize, ${GATES} gates`,
      run: (index) => evaluator.initialize(users[index], { hash: "djb2" }),
      times: RESPONSES,
      unit: "ms",
      target: 5,
    },
  ];
  for (const measure of measures) measure.rounds = [];
  // In turns, so that a change of the machine's speed affects all. The first round warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const measure of measures) {
      const microseconds = timed(measure);
      if (round > 0) measure.rounds.push(microseconds);
    }
  }
  report(measures);
}

/** µs a run */
function timed({ run, times }) {
  const start = performance.now();
  for (let index = 0; index < times; index++) run(index);
  return ((performance.now() - start) * 1000) / times;
}

function report([reference, ...measures]) {
  const sha256 = middle(reference.rounds);
  process.stdout.write(`\nevaluator, one core, median of ${ROUNDS} rounds; one SHA-256 by node:crypto ${sha256.toFixed(2)} µs\n\n`);
  for (const { title, rounds, unit, target } of measures) {
    const microseconds = middle(rounds);
    const value = `${(unit === "ms" ? microseconds / 1000 : microseconds).toFixed(2)} ${unit} (≤ ${target})`;
    process.stdout.write(`${title.padEnd(23)}${value.padStart(18)}${(microseconds / sha256).toFixed(1).padStart(9)} SHA-256\n`);
  }
}

function middle(values) {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)];
}

function user(index) {
  return {
    userID: `user_${index}`,
    email: `user_${index}@example.com`,
    country: "DE",
    appVersion: "4.12.1",
    customIDs: { companyID: `company_${index % 100}` },
    custom: { plan: "pro", seats: 42, roles: ["admin", "editor"], level: "Gold" },
    statsigEnvironment: { tier: "production" },
  };
}

function ruleset() {
  const gates = Array.from({ length: GATES }, (_, index) => gate(`gate_${index}`, ordinaryConditions(index), (index * 7) % 101));
  const checked = [gate("public", [condition("public")], 100), gate("ten", tenConditions(), 50)];
  return { time: NOW, feature_gates: [...gates, ...checked], dynamic_configs: [], layer_configs: [] };
}

function gate(name, conditions, passPercentage) {
  const rule = { name: "rule", id: `rule_of_${name}`, passPercentage, conditions, returnValue: true, idType: "userID" };
  const gate = { name, type: "feature_gate", entity: "feature_gate", salt: `salt_of_${name}`, idType: "userID", enabled: true };
  return { ...gate, defaultValue: false, rules: [rule] };
}

function condition(type, field = null, operator = null, targetValue = null) {
  return { type, field, operator, targetValue, additionalValues: { salt: "bucket_salt" }, idType: "userID" };
}

/** Two to a gate, and every tenth depends on the one before. */
function ordinaryConditions(index) {
  const first = index % 3 === 0 ? condition("public") : condition("user_field", "country", "any", ["DE", "FR", "US"]);
  if (index % 10 === 9) return [first, condition("pass_gate", null, null, `gate_${index - 1}`)];
  return [first, condition("user_field", "email", "str_ends_with_any", ["@example.com", "@example.org"])];
}

/** All of them hold for every user but the last, which half of the users pass. */
function tenConditions() {
  const employees = Array.from({ length: 1000 }, (_, index) => `employee_${index}`);
  return [
    condition("user_field", "email", "str_ends_with_any", ["@example.org", "@example.com"]),
    condition("user_field", "appVersion", "version_gte", "4.2.0"),
    condition("user_field", "country", "any", ["AT", "CH", "DE"]),
    condition("user_field", "seats", "gt", 10),
    condition("user_field", "level", "any_case_sensitive", ["Gold", "Platinum"]),
    condition("user_field", "roles", "array_contains_any", ["owner", "admin"]),
    condition("environment_field", "tier", "any", ["production"]),
    condition("current_time", null, "after", 1_700_000_000_000),
    condition("unit_id", null, "none", employees),
    condition("user_bucket", null, "lt", 500),
  ];
}
