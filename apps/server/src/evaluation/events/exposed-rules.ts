import type { Gate } from "../../console/gates/gate.ts";
import type { Holdout } from "../../console/holdouts/holdout.ts";
import { LAUNCHED_RULE } from "../compile/gate-specs.ts";
import { shareRuleID, TARGETING_RULE } from "../compile/holdout-spec.ts";
import { overrideRuleID } from "../compile/override-rules.ts";
import type { EventOrigin } from "./event-origin.ts";

type Project = EventOrigin["project"];

/** The gate or holdout of an exposure. */
export type Exposed = { type: "gate"; entity: Gate } | { type: "holdout"; entity: Holdout };

/** The rule ids of evaluations that reached no rule. */
const WITHOUT_RULE = ["default", "disabled"];
const HOLDOUT_PREFIX = "holdout:";

/** The gate or holdout with the name that it has in rulesets. */
export function findExposed(project: Project, name: string): Exposed | undefined {
  const gate = project.gates.get(name);
  if (gate) return { type: "gate", entity: gate };
  const holdout = findHoldout(project, name);
  return holdout && { type: "holdout", entity: holdout };
}

/**
 * Whether an evaluation can have this rule id: that of a rule of the entity, or one that the compiler adds to its rules. Others are not
 * counted, since clients can send any id.
 */
export function hasRule(project: Project, exposed: Exposed, ruleID: string): boolean {
  if (WITHOUT_RULE.includes(ruleID) || overrideRules(project.environments).has(ruleID)) return true;
  if (isMeasuredRule(exposed, ruleID)) return true;
  if (exposed.type === "holdout") return ruleID === TARGETING_RULE;
  return ruleID === LAUNCHED_RULE || findHoldout(project, ruleID) !== undefined;
}

/** Whether the rule alone decides by chance which of its units pass. Overrides and the like do not. */
export function isMeasuredRule({ type, entity }: Exposed, ruleID: string): boolean {
  return type === "gate" ? ownRules(entity).has(ruleID) : ruleID === shareRuleID(entity);
}

function findHoldout({ gates, holdouts }: Project, name: string): Holdout | undefined {
  const ofGate = name.startsWith(HOLDOUT_PREFIX) ? name.slice(HOLDOUT_PREFIX.length) : undefined;
  if (ofGate !== undefined && gates.has(ofGate)) return holdouts.get(ofGate);
  return gates.has(name) ? undefined : holdouts.get(name);
}

/** Entities and sets of environments are never changed in place. */
function memoized<K extends object>(make: (key: K) => ReadonlySet<string>): (key: K) => ReadonlySet<string> {
  const made = new WeakMap<K, ReadonlySet<string>>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

const ownRules = memoized(({ rules }: Gate) => new Set(rules.map(({ id, name }) => id || name)));

const overrideRules = memoized(
  ({ environments }: Project["environments"]) =>
    new Set(
      [null, ...environments.map(({ name }) => name)].flatMap((name) => [overrideRuleID("pass", name), overrideRuleID("fail", name)]),
    ),
);
