import type { WritableSchema } from "@gatehouse/contract/console";
import { invalid, type Violation } from "../../common/errors.ts";
import type { Limits } from "./key.ts";

type Given = Pick<WritableSchema<"KeyPatch">, "environments" | "targetAppID" | "secondaryTargetAppIDs">;

/** The methods of stores that look up environments and target apps. */
type LimitStores = {
  environments: { get(options: { lock: boolean }): Promise<{ environments: { name: string }[] }> };
  targetApps: { find(idOrName: string, options: { hold: boolean }): Promise<{ name: string } | undefined> };
};

/**
 * The given limits, by name. Locks each until the transaction ends, so that other requests cannot delete or rename it.
 * @throws AppError invalid_request with the given `violations`, and every missing environment and target app
 */
export async function resolveLimits(given: Given, stores: LimitStores, violations: Violation[]): Promise<Partial<Limits>> {
  const found = [...violations];
  const { environments, targetAppID, secondaryTargetAppIDs } = given;
  if (environments !== undefined && environments.length > 0) await requireEnvironments(environments);
  const primary = typeof targetAppID === "string" ? await nameOfApp(targetAppID, "targetAppID") : targetAppID;
  const secondary = new Set<string>();
  for (const [index, idOrName] of (secondaryTargetAppIDs ?? []).entries()) {
    secondary.add(await nameOfApp(idOrName, `secondaryTargetAppIDs[${index}]`));
  }
  if (found.length > 0) throw invalid(found);
  return {
    ...(environments !== undefined && { environments }),
    ...(primary !== undefined && { primaryTargetApp: primary }),
    ...(secondaryTargetAppIDs !== undefined && { secondaryTargetApps: [...secondary] }),
  };

  async function requireEnvironments(names: string[]): Promise<void> {
    const set = await stores.environments.get({ lock: true });
    const known = new Set(set.environments.map(({ name }) => name));
    for (const [index, name] of names.entries()) {
      const errorMessage = `references environment ${name}, which does not exist`;
      if (!known.has(name)) found.push({ property: `environments[${index}]`, errorMessage });
    }
  }

  async function nameOfApp(idOrName: string, property: string): Promise<string> {
    const app = await stores.targetApps.find(idOrName, { hold: true });
    if (!app) found.push({ property, errorMessage: `references target app ${idOrName}, which does not exist` });
    return app?.name ?? idOrName;
  }
}
