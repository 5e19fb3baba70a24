import type { KeyScope } from "../../context.ts";

/** What a key reaches, in one form for all keys that reach the same. An empty list limits nothing. */
export type Reach = { key: string; environments: readonly string[]; targetApps: readonly string[] };

/** Environments are in lower case, since SDKs compare them without regard to it. */
export function toReach({ environments, targetApps }: Pick<KeyScope, "environments" | "targetApps">): Reach {
  const reach = { environments: inOrder(environments.map((name) => name.toLowerCase())), targetApps: inOrder(targetApps) };
  return { key: JSON.stringify(reach), ...reach };
}

export function reachesEnvironment({ environments }: Reach, name: string): boolean {
  return environments.length === 0 || environments.includes(name.toLowerCase());
}

function inOrder(names: string[]): string[] {
  return [...new Set(names)].sort();
}
