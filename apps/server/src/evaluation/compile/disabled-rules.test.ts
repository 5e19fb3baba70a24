import fc from "fast-check";
import { expect, test } from "vitest";
import { buildGate, buildHoldout, buildProject, buildState, compileProject, TIME, toV1 } from "../../../test/support/evaluated-project.ts";
import { anyChange } from "../../../test/support/random-changes.ts";
import { createCompiler } from "./compiler.ts";
import type { Change } from "./project-state.ts";

type Rule = { isEnabled?: boolean };

/** The same change with disabled rules enabled, in an environment that no key reaches. */
function elsewhere(change: Change): Change {
  const moved = ({ isEnabled = true, ...rule }: Rule) => (isEnabled ? rule : { ...rule, environments: ["nowhere"] });
  let { value } = change;
  for (const list of ["rules", "inlineTargetingRules"]) {
    const rules = value && (value as { [list: string]: Rule[] })[list];
    if (rules) value = { ...value, [list]: rules.map(moved) };
  }
  return { ...change, value };
}

function compileRuleset(changes: Change[]): unknown {
  const state = buildState(buildProject({}));
  state.apply(changes);
  return toV1(createCompiler(state, { environments: ["production"], targetApps: [] }).compile(TIME));
}

test("a ruleset leaves out a disabled rule of any entity as it leaves out one of an environment that its key does not reach", () => {
  const history = fc.array(anyChange, { minLength: 5, maxLength: 30 });
  fc.assert(
    fc.property(history, (changes) => {
      expect(compileRuleset(changes)).toEqual(compileRuleset(changes.map(elsewhere)));
    }),
    { numRuns: 300 },
  );
});

test("disabling or enabling a rule of one environment changes nothing in the others, even if the rule depends on another gate", () => {
  const inProduction = (isEnabled: object) => {
    const rule = { id: "r", baseID: "r", name: "r", passPercentage: 100, environments: ["staging"], ...isEnabled };
    const passes = { ...rule, conditions: [{ type: "passes_gate" as const, targetValue: "other" }] };
    const project = buildProject({
      gates: [buildGate("targeting", { rules: [passes], targetApps: ["web"] }), buildGate("other", { targetApps: ["ios"] })],
      holdouts: [buildHoldout("held", { isEnabled: true, isGlobal: true, targetingGateID: "targeting" })],
    });
    return [[], ["web"]].map((targetApps) => toV1(compileProject(project, { environments: ["production"], targetApps })));
  };
  expect(inProduction({ isEnabled: false })).toEqual(inProduction({}));
});
