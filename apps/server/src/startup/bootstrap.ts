import { DEFAULT_PROJECT } from "../common/context.ts";
import { systemContext } from "../common/system-context.ts";
import { fillProject } from "../console/projects/new-project-store.ts";
import { newProject } from "../console/projects/project.ts";
import { createDeps, createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Database } from "../store/database/database.ts";
import { writing } from "../store/database/unit-of-work.ts";

/**
 * Creates a project with its environments, core tag, core unit ID types and one console key, unless it exists.
 * @returns the key if this call created it. It is shown only now
 */
export async function bootstrap(
  database: Database,
  consoleKey?: string,
  now = Date.now(),
  projectID = DEFAULT_PROJECT,
): Promise<string | undefined> {
  return writing(database, async (db) => {
    // Writes nothing if it exists, so that a server can start while its disk is full.
    const existing = await db.$queryRaw`select 1 from project where "id" = ${projectID}`;
    if (existing.length > 0) return undefined;
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
