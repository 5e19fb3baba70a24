import { fillProject } from "./console/projects/new-project-store.ts";
import { newProject } from "./console/projects/project.ts";
import { DEFAULT_PROJECT, type PermittedContext } from "./context.ts";
import { EVERY_PERMISSION } from "./permissions.ts";
import { createChangeLog } from "./store/change-log.ts";
import type { Database } from "./store/database.ts";
import { writing } from "./store/unit-of-work.ts";
import { createDeps, createStores } from "./stores.ts";

export { DEFAULT_PROJECT };

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
    const given = { db, context, log: createChangeLog(db, context) };
    await createStores(given).projects.note(newProject({ name: projectID }, context, projectID));
    return (await fillProject(createDeps(given), projectID, consoleKey)).key;
  });
}

/** The context of writes by the server itself and by the command line. */
export function systemContext(operationID: string, now = Date.now(), projectID = DEFAULT_PROJECT): PermittedContext {
  const principal = { permissions: EVERY_PERMISSION, grantedBy: "the server", limits: null, administersInstance: true };
  return { actor: { id: "system", name: "GATEHOUSE", email: null }, projectID, operationID, now, ...principal };
}
