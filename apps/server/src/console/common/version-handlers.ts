import { type OperationId, routes, type Schema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { namesOwner, type WithOwner } from "../../common/owner.ts";
import type { Env, Stores } from "../stores.ts";
import { paginate, toWindow, type Window } from "./page.ts";
import { modified } from "./stamp.ts";

type Versioned = { version: number };
type VersionReason = Schema<"VersionReason">;

/** The methods of a store that read and restore versions. */
type VersionedStore<E extends Versioned> = {
  find(id: string): Promise<E | undefined>;
  get(id: string): Promise<E>;
  findDeleted(id: string): Promise<E | undefined>;
  listVersions(id: string, window: Window): Promise<{ data: E[]; reasons: VersionReason[]; total: number }>;
  getVersion(id: string, version: number): Promise<E>;
  create(entity: E): Promise<E>;
  replace(before: E, after: E): Promise<E>;
};

type SelectStore<E extends Versioned> = (stores: Stores) => VersionedStore<E>;

type Options<E> = {
  /** Creates the new version. For entities with fields that are not restored. */
  restore?(current: E, old: E, context: Context): E;
  /** Performs the whole write. For entities whose writes are more than reading and replacing. */
  write?(id: string, old: E, env: Env): Promise<E>;
  /** Creates a deleted entity again. `deleted` is how it was last. For entities whose creation is more than storing a row. */
  recreate?(deleted: E, old: E, env: Env): Promise<E>;
};

type PathOfEntity = { id: string } | { name: string };
type Listing = { path: PathOfEntity; query: { limit?: number; page?: number } } & Env;
type Restoring = { path: PathOfEntity & { version: number } } & Env;

const idIn = (path: PathOfEntity) => ("id" in path ? path.id : path.name);

/** Creates the handler that lists the versions of an entity. `called` is the entity's kind in messages. */
export function listVersions<E extends Versioned>(operation: OperationId, called: string, selectStore: SelectStore<E>) {
  return async ({ path, query, stores }: Listing) => {
    const id = idIn(path);
    const { data, reasons, total } = await selectStore(stores).listVersions(id, toWindow(query));
    const pagination = paginate(routes[operation].path.replace(/\{\w+\}/, encodeURIComponent(id)), query, total);
    return { status: 200 as const, body: { message: `${called} versions listed successfully.`, data, reasons, pagination } };
  };
}

/**
 * Creates the handler that restores a version of an entity, which creates a deleted one again. `called` is the entity's kind in messages.
 */
export function restoreVersion<E extends Versioned>(
  called: string,
  selectStore: SelectStore<E>,
  { restore = restored, write, recreate }: Options<E> = {},
) {
  const writeOne: NonNullable<typeof write> =
    write ??
    (async (id, old, { context, stores }) => {
      const current = await selectStore(stores).get(id);
      return selectStore(stores).replace(current, restore(current, old, context));
    });
  const createAgain: NonNullable<typeof recreate> =
    recreate ?? (async (deleted, old, { context, stores }) => selectStore(stores).create(restore(deleted, old, context)));
  return async ({ path, context, stores }: Restoring) => {
    const id = idIn(path);
    const store = selectStore(stores);
    const existing = await store.find(id);
    const deleted = existing ? undefined : await store.findDeleted(id);
    // Answers 404 for an id that never existed.
    const current = existing ?? deleted ?? (await store.get(id));
    const old = await withOwner(await store.getVersion(id, path.version), current, stores);
    const env = { context, stores };
    const data = deleted ? await createAgain(withoutOthers(deleted), old, env) : await writeOne(id, old, env);
    return { status: 200 as const, body: { message: `${called} version ${path.version} restored successfully.`, data } };
  };
}

/** The old version. If the project's settings require an owner, and it has none, it gets the current one. */
async function withOwner<E extends Versioned>(old: E & WithOwner, { owner = null }: E & WithOwner, { settings }: Stores): Promise<E> {
  if (namesOwner(old) || !namesOwner({ owner }) || !(await settings.forCreation()).requireOwners) return old;
  return { ...old, owner };
}

/** Fields for facts about an entity from other rows. Those rows were deleted with it, or no longer name it. */
const OF_OTHERS = { holdoutIDs: [], checksPerHour: 0, count: 0, pausedBy: undefined };

function withoutOthers<E extends Versioned>(deleted: E): E {
  return { ...deleted, ...Object.fromEntries(Object.entries(OF_OTHERS).filter(([field]) => field in deleted)) };
}

/** The old version as a new one. */
export function restored<E extends Versioned>(current: E, old: E, context: Context): E {
  return { ...old, ...modified(current, context) };
}
