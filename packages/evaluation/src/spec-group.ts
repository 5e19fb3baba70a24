import type { CompiledSpec } from "./compile.ts";
import type { Test } from "./condition.ts";
import type { Decision } from "./decision.ts";
import { type Evaluation, isSettledByTests, passesTest, settledDecision } from "./evaluate.ts";
import { utf8 } from "./utf8.ts";

/** Neighboring specs of a ruleset. Users with the same results of `tests` share the JSON of the group's settled decisions. */
export type SpecGroup = {
  specs: readonly CompiledSpec[];
  /** The specs without segments and holdouts, which applications don't ask for. */
  flags: readonly CompiledSpec[];
  tests: readonly Test[];
  /** Known results of each kind of answer, by the results of the tests. */
  settled: Map<ToMember, Map<string, Settled>>;
};

/** The JSON of a decision without exposures, after a comma. */
export type ToMember = (decision: Decision) => string;

/** The settled decisions of a group as JSON in UTF-8, and the specs that have to be evaluated for each user. */
type Settled = {
  /** With a comma in front of each member, and without the first comma. Null without members. */
  members: { json: Uint8Array; first: Uint8Array } | null;
  open: readonly CompiledSpec[];
};

/** The most results of tests for which a group keeps its settled decisions, for each kind of answer. */
const MAX_KEPT = 16;
/** The results of tests that one character holds. */
const TESTS_PER_CHARACTER = 15;

export function specGroup(specs: readonly CompiledSpec[]): SpecGroup {
  const flags = specs.filter(({ spec: { entity } }) => entity !== "segment" && entity !== "holdout");
  return { specs, flags, tests: [...new Set(flags.flatMap(settlingTests))], settled: new Map() };
}

/** The tests that `settledDecision` may run, except those that hold for everyone. */
function settlingTests({ rules }: CompiledSpec): Test[] {
  const tests: Test[] = [];
  for (const rule of rules) {
    if (rule.unsupported || !isSettledByTests(rule)) break;
    const compared = rule.tests.filter(({ read }) => read !== null);
    if (compared.length === 0) break;
    tests.push(...compared);
  }
  return tests;
}

/** The settled decisions of a group for the user. They are joined once for all users with the same results of the group's tests. */
export function settle(evaluation: Evaluation, group: SpecGroup, toMember: ToMember): Settled {
  let kept = group.settled.get(toMember);
  if (kept === undefined) {
    kept = new Map();
    group.settled.set(toMember, kept);
  }
  const key = testResults(evaluation, group.tests);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const settled = join(evaluation, group, toMember);
  const [oldest] = kept.keys();
  if (oldest !== undefined && kept.size >= MAX_KEPT) kept.delete(oldest);
  kept.set(key, settled);
  return settled;
}

/** The results of tests, one bit each. */
function testResults(evaluation: Evaluation, tests: readonly Test[]): string {
  let results = "";
  let bits = 0;
  for (let index = 0; index < tests.length; index++) {
    const place = index % TESTS_PER_CHARACTER;
    if (place === 0 && index > 0) {
      results += String.fromCharCode(bits);
      bits = 0;
    }
    if (passesTest(evaluation, tests[index] as Test)) bits |= 1 << place;
  }
  return results + String.fromCharCode(bits);
}

function join(evaluation: Evaluation, { flags }: SpecGroup, toMember: ToMember): Settled {
  const open: CompiledSpec[] = [];
  let members = "";
  for (const compiled of flags) {
    const decision = settledDecision(evaluation, compiled);
    if (decision === undefined) open.push(compiled);
    else members += toMember(decision);
  }
  if (members === "") return { members: null, open };
  const json = utf8(members);
  return { members: { json, first: json.subarray(1) }, open };
}
