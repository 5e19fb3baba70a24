import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { modified } from "../common/stamp.ts";

/** The ids of the entities that get target apps. */
type Assignees = { dynamicConfigs?: string[]; experiments?: string[]; gates?: string[] };

type Assignee = { id: string; status: string; targetApps: string[]; version: number };
/** The methods of stores that an assignment calls. */
type AssigneeStore = {
  find(id: string, options: { lock: boolean }): Promise<Assignee | undefined>;
  replace(before: Assignee, after: Assignee): Promise<unknown>;
};
type AssignmentStores = Record<keyof Assignees, AssigneeStore> & {
  targetApps: { find(idOrName: string, options: { hold: boolean }): Promise<{ name: string } | undefined> };
};

/** The most target apps of one entity. */
const MAX_TARGET_APPS = 100;

/**
 * Adds target apps, given by id or name, to each entity. Every request locks apps before entities, as renaming an app does, and entities in
 * the same order, so that requests do not deadlock.
 * @throws AppError invalid_request with every missing app, and every entity that is missing, archived or would have too many
 */
export async function assign(
  targetApps: string[],
  { dynamicConfigs, experiments, gates }: Assignees,
  context: Context,
  stores: AssignmentStores,
) {
  const violations: Violation[] = [];
  const writes: (() => Promise<unknown>)[] = [];
  const apps: string[] = [];
  for (const [index, idOrName] of targetApps.entries()) {
    const app = await stores.targetApps.find(idOrName, { hold: true });
    if (app) apps.push(app.name);
    else violations.push({ property: `targetApps[${index}]`, errorMessage: `references target app ${idOrName}, which does not exist` });
  }
  await decide(stores.dynamicConfigs, "dynamic config", "dynamicConfigs", dynamicConfigs);
  await decide(stores.experiments, "experiment", "experiments", experiments);
  await decide(stores.gates, "gate", "gates", gates);
  if (violations.length > 0) throw invalid(violations);
  for (const write of writes) await write();

  async function decide(store: AssigneeStore, called: string, list: string, ids: string[] = []): Promise<void> {
    for (const id of ids.toSorted()) {
      const entity = await store.find(id, { lock: true });
      const after = withApps(entity?.targetApps ?? [], apps);
      const refusal = refuse(entity, after);
      if (refusal)
        violations.push({ property: `${list}[${ids.indexOf(id)}]`, errorMessage: `references ${called} ${id}, which ${refusal}` });
      else if (entity && after.length > entity.targetApps.length) {
        writes.push(() => store.replace(entity, { ...entity, targetApps: after, ...modified(entity, context) }));
      }
    }
  }
}

function refuse(entity: Assignee | undefined, targetApps: string[]): string | undefined {
  if (!entity) return "does not exist";
  if (entity.status.toLowerCase() === "archived") return "is archived";
  return targetApps.length > MAX_TARGET_APPS ? `would have more than ${MAX_TARGET_APPS} target apps` : undefined;
}

/** The current apps, followed by those that are new. */
function withApps(current: string[], given: string[]): string[] {
  return [...current, ...new Set(given.filter((app) => !current.includes(app)))];
}
