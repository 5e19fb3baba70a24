import type { Subject } from "../../results/subject.ts";
import { withRuleIDs } from "../common/rule.ts";
import type { Gate } from "../gates/gate.ts";
import type { Holdout } from "../holdouts/holdout.ts";

/**
 * What decides in a version which units pass, as a text: their type and the pass percentage. As long as it stays the same, units that saw
 * the gate's rule or the holdout for the first time are comparable. Undefined if the version has no such rule.
 */
export function chanceIn(version: Gate | Holdout, { ruleID }: Subject): string | undefined {
  const holder = "rules" in version ? withRuleIDs(version).rules.find(({ id }) => id === ruleID) : version;
  return holder && `${holder.passPercentage} ${version.idType}`;
}
