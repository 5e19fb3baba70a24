import type { KeyScope } from "../../common/context.ts";

/** A key's scope in normal form. An empty list means no limit. */
export type RulesetScope = { environments: readonly string[]; targetApps: readonly string[] };

/** Environments are in lower case, since SDKs ignore their case. */
export function toRulesetScope({ environments, targetApps }: Pick<KeyScope, "environments" | "targetApps">): RulesetScope {
  return { environments: inOrder(environments.map((name) => name.toLowerCase())), targetApps: inOrder(targetApps) };
}

export function includesEnvironment({ environments }: RulesetScope, name: string): boolean {
  return environments.length === 0 || environments.includes(name.toLowerCase());
}

function inOrder(names: string[]): string[] {
  return [...new Set(names)].sort();
}
