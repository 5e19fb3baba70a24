import { createEvaluator } from "@gatehouse/evaluation";
import fc from "fast-check";
import { expect, test } from "vitest";
import { buildProject, buildState, TIME } from "../../../test/support/evaluated-project.ts";
import { anyChange } from "../../../test/support/random-changes.ts";
import { evaluateFlags } from "../ofrep/flag-evaluation.ts";
import { computeChecksum, v1Text, v2Text } from "../rulesets/ruleset-text.ts";
import { compileWith } from "./compile-with.ts";
import type { CompiledRuleset } from "./compiled-ruleset.ts";
import { createCompiler } from "./compiler.ts";

const SCOPES = [
  { environments: [], targetApps: [] },
  { environments: ["staging"], targetApps: [] },
  { environments: [], targetApps: ["web"] },
  { environments: ["production", "staging"], targetApps: ["ios", "web"] },
];
const NAMES = ["a", "b", "c", "d", "e"];
const USER = { userID: "u1", statsigEnvironment: { tier: "staging" } };

/** Everything that callers can observe of a ruleset. */
function shown(ruleset: CompiledRuleset) {
  const sum = computeChecksum(ruleset, []);
  const evaluator = createEvaluator(ruleset, { now: TIME });
  const specs = [...ruleset.gates.values(), ...ruleset.configs.values(), ...ruleset.layers.values()].map(({ name = "" }) => name);
  return {
    sum,
    v1: Buffer.concat(v1Text(ruleset, sum)).toString(),
    v2: Buffer.concat(v2Text(ruleset, sum)).toString(),
    initialized: JSON.stringify(evaluator.initialize(USER, { hash: "none" })),
    flags: Buffer.concat(evaluateFlags(evaluator, USER)).toString(),
    checks: [...specs, ...NAMES].map((name) => [evaluator.gate(name, USER), evaluator.config(name, USER), evaluator.layer(name, USER)]),
  };
}

const batches = fc.array(fc.array(anyChange, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 12 });

test("after any changes, a patched ruleset equals a newly compiled one, for keys of every scope", {
  timeout: 120_000,
}, () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 40 }), batches, (before, given) => {
      const state = buildState(buildProject({}));
      state.apply(before);
      const compilers = SCOPES.map((scope) => ({ scope, compiler: createCompiler(state, scope) }));
      for (const { compiler } of compilers) compiler.compile(TIME);
      for (const [index, changes] of given.entries()) {
        const affected = state.apply(changes);
        for (const [number, { scope, compiler }] of compilers.entries()) {
          compiler.affect(affected);
          // Some compilers are used only after several batches.
          if (index % (number + 1) === 0) expect(shown(compiler.compile(TIME))).toEqual(shown(newlyCompiled(state.project, scope)));
        }
      }
    }),
    { numRuns: 60 },
  );
});

test("a trial ruleset equals one compiled after the changes, and leaves no trace in the next ruleset", () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 40 }), batches, (before, given) => {
      const state = buildState(buildProject({}));
      state.apply(before);
      const compilers = SCOPES.map((scope) => ({ scope, compiler: createCompiler(state, scope) }));
      const { environments } = state.project;
      for (const tried of given) {
        const changes = [...new Map(tried.map((change) => [`${change.part} ${change.id}`, change])).values()];
        for (const { scope, compiler } of compilers) {
          const atFirst = shown(newlyCompiled(state.project, scope));
          const fewer = { ...environments, environments: environments.environments.slice(0, 1) };
          const { ruleset, isReusable } = compileWith({ changes, environments: fewer }, state, compiler, TIME);
          const after = buildState(state.project);
          after.setEnvironments(fewer);
          after.apply(changes);
          expect(isReusable).toBe(true);
          expect(shown(ruleset)).toEqual(shown(newlyCompiled(after.project, scope)));
          expect(shown(compiler.compile(TIME))).toEqual(atFirst);
        }
      }
    }),
    { numRuns: 30 },
  );
});

test("a ruleset stays the same after later changes", () => {
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 40 }), batches, (before, given) => {
      const state = buildState(buildProject({}));
      state.apply(before);
      const compiler = createCompiler(state, SCOPES[0] as (typeof SCOPES)[0]);
      const held = [[], ...given].map((changes) => {
        compiler.affect(state.apply(changes));
        const ruleset = compiler.compile(TIME);
        return { ruleset, atFirst: shown(ruleset) };
      });
      for (const { ruleset, atFirst } of held) expect(shown(ruleset)).toEqual(atFirst);
    }),
    { numRuns: 30 },
  );
});

function newlyCompiled(project: Parameters<typeof buildState>[0], scope: (typeof SCOPES)[0]): CompiledRuleset {
  return createCompiler(buildState(project), scope).compile(TIME);
}
