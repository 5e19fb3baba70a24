import fc from "fast-check";
import { expect, test } from "vitest";
import { anyRules, ENVIRONMENTS } from "../../../web/src/targeting/arbitrary.ts";
import { environmentsTouched } from "../../../web/src/targeting/environments-touched.ts";
import type { Rule as DraftRule } from "../../../web/src/targeting/types.ts";
import { type Gate, newGate } from "../../src/console/gates/gate.ts";
import { featureGateSpec } from "../../src/evaluation/compile/gate-specs.ts";
import { toRulesetScope } from "../../src/evaluation/compile/ruleset-scope.ts";

const CONTEXT = { actor: { id: "key_1", name: "CONSOLE API", email: null }, projectID: "default", operationID: "test", now: 1 };

/** A random edit of one rule. */
const anyEdit = fc.constantFrom<(rule: DraftRule) => DraftRule>(
  (rule) => rule,
  (rule) => ({ ...rule, name: `${rule.name} renamed` }),
  (rule) => ({ ...rule, passPercentage: 100 - rule.passPercentage }),
  (rule) => ({ ...rule, environments: ["staging"] }),
  (rule) => ({ ...rule, environments: null }),
  (rule) => ({ ...rule, environments: ENVIRONMENTS }),
  (rule) => ({ ...rule, conditions: [...rule.conditions, { type: "country", operator: "any", targetValue: ["NO"] }] }),
  (rule) => ({ ...rule, conditions: [] }),
  (rule) => ({ ...rule, conditions: rule.conditions.map(() => ({ type: "country", operator: "any", targetValue: ["SE"] })) }),
);

/** Every combination that the lifecycle of a gate leads to. */
const anyState = fc.constantFrom<Pick<Gate, "isEnabled" | "status">>(
  { isEnabled: true, status: "In Progress" },
  { isEnabled: true, status: "In Progress" },
  { isEnabled: true, status: "Launched" },
  { isEnabled: false, status: "Disabled" },
);

function buildGate(rules: DraftRule[], state: Pick<Gate, "isEnabled" | "status">): Gate {
  return { ...newGate({ name: "gate", rules }, CONTEXT), ...state };
}

/** All that applications of an environment evaluate: empty if everyone fails regardless of the rules. */
function compiledFor(environment: string, gate: Gate): unknown {
  const { enabled, rules } = featureGateSpec(gate, undefined, [], toRulesetScope({ environments: [environment], targetApps: [] }));
  return enabled ? rules.map(({ name: _name, ...rule }) => rule) : [];
}

test("an environment for which a gate is compiled to something else is always among those that the console names", () => {
  const change = anyRules({ stored: true }).chain((rules) =>
    fc.tuple(
      fc.constant(rules),
      fc.tuple(...rules.map((rule) => anyEdit.map((edit) => edit(rule)))).chain((edited) => fc.shuffledSubarray(edited)),
      anyState,
      anyState,
    ),
  );
  let [named, unnamed] = [0, 0];
  fc.assert(
    fc.property(change, ([rules, edited, stateBefore, stateAfter]) => {
      const [before, after] = [buildGate(rules, stateBefore), buildGate(edited, stateAfter)];
      const touched = environmentsTouched({ flag: before }, { flag: after }, ENVIRONMENTS);
      for (const environment of ENVIRONMENTS) {
        if (touched.includes(environment)) named += 1;
        else {
          unnamed += 1;
          expect(compiledFor(environment, after)).toEqual(compiledFor(environment, before));
        }
      }
    }),
    { numRuns: 500 },
  );
  expect(Math.min(named, unnamed)).toBeGreaterThan(50);
});
