import { CORE_UNIT_ID_TYPES } from "./console/common/named.ts";
import { CORE_TAG } from "./console/common/needs.ts";
import { defaultEnvironments } from "./console/environments/environment-set.ts";
import { KEY_MANAGEMENT_SCOPES, newKey } from "./console/keys/key.ts";
import { newTag } from "./console/tags/tag.ts";
import { newUnitIDType } from "./console/unit-id-types/unit-id-type.ts";
import type { PermittedContext } from "./context.ts";
import { EVERY_PERMISSION } from "./permissions.ts";
import { createChangeLog } from "./store/change-log.ts";
import type { Database } from "./store/database.ts";
import { writing } from "./store/unit-of-work.ts";
import { createStores } from "./stores.ts";

/** The project that the first start creates. */
export const DEFAULT_PROJECT = "default";

/**
 * Creates a project with its environments, core tag, core unit ID types and one console key, unless it exists.
 * @returns the key if this call created it; it is shown only now
 */
export async function bootstrap(
  database: Database,
  consoleKey?: string,
  now = Date.now(),
  projectID = DEFAULT_PROJECT,
): Promise<string | undefined> {
  return writing(database, async (db) => {
    // If several replicas start together, one inserts the row and the others wait for it here.
    const count = await db.$executeRaw`
      insert into project ("id", "name", "createdTime") values (${projectID}, ${projectID}, ${now}) on conflict do nothing`;
    if (count === 0) return undefined;
    const context = systemContext("bootstrap", now, projectID);
    const log = createChangeLog(db, context);
    const stores = createStores({ db, context, log });
    await stores.environments.replace(await stores.environments.get(), defaultEnvironments());
    await stores.tags.create(newTag({ name: CORE_TAG }, context));
    for (const name of CORE_UNIT_ID_TYPES) await stores.unitIDTypes.create(newUnitIDType({ name }, context));
    const { key, secret } = newKey({ type: "CONSOLE", description: "first key", scopes: [...KEY_MANAGEMENT_SCOPES] }, context, consoleKey);
    await stores.keys.create(key, secret);
    return secret;
  });
}

/** The context of writes by the server itself and by the command line. */
export function systemContext(operationID: string, now = Date.now(), projectID = DEFAULT_PROJECT): PermittedContext {
  const principal = { permissions: EVERY_PERMISSION, grantedBy: "the server", limits: null };
  return { actor: { id: "system", name: "GATEHOUSE", email: null }, projectID, operationID, now, ...principal };
}
