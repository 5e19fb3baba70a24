import { isDeepStrictEqual } from "node:util";
import { createEvaluator, type Spec } from "@gatehouse/evaluation";
import fc from "fast-check";
import { expect, test } from "vitest";
import { kinds } from "../../src/console/kinds.ts";
import { createCompiler } from "../../src/evaluation/compile/compiler.ts";
import { listDependencies } from "../../src/evaluation/compile/dependencies.ts";
import { type Node, toKey } from "../../src/evaluation/compile/node.ts";
import type { Change } from "../../src/evaluation/compile/project-state.ts";
import { buildProject, buildState, TIME, toV1 } from "../support/evaluated-project.ts";
import { anyChange } from "../support/random-changes.ts";

type Rule = { id: string; name: string; environments: string[] | null; isEnabled?: boolean };
type Entity = Record<string, unknown>;

const isStaging = (environment: string) => environment.toLowerCase() === "staging";
const USERS = ["u1", "u2", "u3", "u4"].map((userID) => ({ userID, statsigEnvironment: { tier: "production" } }));

/** The parts of an entity that other environments than staging evaluate, as the entity store compares them. */
function elsewhere({ part }: Change, entity: Entity): unknown {
  const environments = kinds.find(({ ruleset }) => ruleset === part)?.reach.environments;
  if (typeof environments !== "object" || !("elsewhere" in environments)) throw new Error(`There is no reach of ${part}.`);
  return environments.elsewhere(entity, isStaging);
}

/** The lists of an entity that may have items of single environments, with a further item of staging. */
const ITEMS: { [list: string]: object } = {
  environmentOverrides: { environment: "staging", unitID: "userID", passingIDs: ["u1"], failingIDs: ["u2"] },
  userIDOverrides: { environment: "staging", groupID: "test", ids: ["u2"], unitType: "userID" },
  overrides: { environment: "staging", groupID: "test", type: "gate", id: "b" },
  idOverrides: { environment: "staging", groupName: "test", ids: ["u3"], idType: null, experimentName: "c" },
  rules: {},
  inlineTargetingRules: {},
};

type Edit = { fields: number[]; at: number; acts: "adds" | "removes" | "switches" };

const isOfStaging = ({ environments }: Rule) => environments?.every(isStaging) === true;
const switched = (rule: Rule): Rule => (isOfStaging(rule) ? { ...rule, isEnabled: rule.isEnabled === false } : rule);

/** An edit of an entity. It takes fields from another one, adds items of staging, and removes, disables or enables rules of staging. */
function createEdit(before: Entity, other: Entity, { fields, at, acts }: Edit): Entity {
  const names = Object.keys(before);
  const taken = fields.map((index) => names[index % names.length] ?? "");
  const after: Entity = { ...before, ...Object.fromEntries(taken.map((name) => [name, other[name]])) };
  for (const [list, item] of Object.entries(ITEMS)) {
    const items = before[list] as Rule[] | undefined;
    if (items === undefined || taken.includes(list)) continue;
    const [first] = (other[list] ?? []) as Rule[];
    const isRules = list.toLowerCase().endsWith("rules");
    const added = isRules ? first && { ...first, id: "added", name: "added", baseID: "added", environments: ["Staging"] } : item;
    after[list] =
      acts === "adds"
        ? items.toSpliced(at % (items.length + 1), 0, ...(added ? [added as Rule] : []))
        : acts === "removes"
          ? items.filter((rule) => !isOfStaging(rule))
          : items.map((item) => (isRules ? switched(item) : item));
  }
  return acts === "adds" && "enabledNonProdEnvironments" in before ? { ...after, enabledNonProdEnvironments: ["staging"] } : after;
}

/** All that production receives and evaluates, without versions and exposures. Gates that only conditions of other specs evaluate count in those specs. */
function seenInProduction(changes: Change[]): unknown {
  const state = buildState(buildProject({}));
  state.apply(changes);
  const compiled = (environments: string[]) => createCompiler(state, { environments, targetApps: [] }).compile(TIME);
  const ruleset = toV1(compiled(["production"]));
  const isOwn = ({ name }: Spec) => !name?.includes("experiment_group:");
  const { initialize } = createEvaluator(compiled([]), { now: () => TIME });
  const evaluated = USERS.map((user) => initialize(user, { hash: "none" }));
  const seen = { ...ruleset, feature_gates: ruleset.feature_gates.filter(isOwn), evaluated };
  return JSON.parse(JSON.stringify(seen), (name, value) => (name === "version" || name.endsWith("_exposures") ? undefined : value));
}

/** Whether some gate, segment, experiment or holdout depends on itself. SDKs evaluate a holdout as a gate of its name. */
function hasCycle(changes: Change[]): boolean {
  const { project, apply } = buildState(buildProject({}));
  apply(changes);
  const isHoldout = ({ kind, id }: Node) => kind === "gates" && !project.gates.has(id) && project.holdouts.has(id);
  const acyclic = new Set<string>();
  const leadsTo = (node: Node, above: readonly string[]): boolean => {
    const key = toKey(node);
    if (above.includes(key)) return true;
    if (acyclic.has(key)) return false;
    const dependencies = listDependencies(project, node).map(({ kind, id }) => ({
      kind: isHoldout({ kind, id }) ? ("holdouts" as const) : kind,
      id,
    }));
    if (dependencies.some((dependency) => leadsTo(dependency, [...above, key]))) return true;
    acyclic.add(key);
    return false;
  };
  return (["gates", "segments", "experiments", "holdouts"] as const).some((kind) =>
    [...project[kind].keys()].some((id) => leadsTo({ kind, id }, [])),
  );
}

const history = fc.array(
  anyChange.filter(({ part }) => part !== "segmentIDs"),
  { minLength: 10, maxLength: 40 },
);
const edits = fc.array(
  fc.record({
    changed: fc.nat(),
    taken: fc.nat(),
    edit: fc.record({
      fields: fc.array(fc.nat(), { maxLength: 2 }),
      at: fc.nat(5),
      acts: fc.constantFrom("adds" as const, "removes", "switches"),
    }),
  }),
  { minLength: 10, maxLength: 10 },
);

test("no write allowed to a staging key changes the values that production receives and evaluates", { timeout: 120_000 }, () => {
  const counts = { permitted: 0, refused: 0 };
  fc.assert(
    fc.property(history, edits, (changes, given) => {
      const entities = new Map(changes.map((change) => [`${change.part} ${change.id}`, change]));
      const existing = [...entities.values()].filter(({ value }) => value !== undefined);
      for (const { changed, taken, edit } of given) {
        const change = existing[changed % existing.length] as Change;
        const alike = changes.filter(({ part, value }) => part === change.part && value !== undefined);
        const [before, other] = [change.value as Entity, alike[taken % alike.length]?.value as Entity];
        const after = createEdit(before, other, edit);
        if (isDeepStrictEqual(before, after)) continue;
        const isPermitted = isDeepStrictEqual(elsewhere(change, before), elsewhere(change, after));
        const edited = [...changes, { ...change, value: after }];
        // If a spec depends on itself, evaluation never ends, regardless of the rules that apply in an environment.
        if (isPermitted && (hasCycle(changes) || hasCycle(edited))) continue;
        counts[isPermitted ? "permitted" : "refused"] += 1;
        if (isPermitted) expect(seenInProduction(edited)).toEqual(seenInProduction(changes));
      }
    }),
    { numRuns: 200 },
  );
  expect(counts.permitted).toBeGreaterThan(50);
  expect(counts.refused).toBeGreaterThan(50);
});
