import { type OperationId, routes } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import type { Env, Stores } from "../../stores.ts";
import { paginate, toWindow, type Window } from "./page.ts";
import { modified } from "./stamp.ts";

type Versioned = { version: number };

/** The methods of a store that read and restore versions. */
type VersionedStore<E extends Versioned> = {
  get(id: string): Promise<E>;
  listVersions(id: string, window: Window): Promise<{ data: E[]; total: number }>;
  getVersion(id: string, version: number): Promise<E>;
  replace(before: E, after: E): Promise<E>;
};

type StoreOf<E extends Versioned> = (stores: Stores) => VersionedStore<E>;

type Options<E> = {
  /** Makes the new version. For entities with fields that are not restored. */
  restore?(current: E, old: E, context: Context): E;
  /** Performs the whole write. For entities whose writes are more than reading and replacing. */
  write?(id: string, old: E, env: Env): Promise<E>;
};

type PathOfEntity = { id: string } | { name: string };
type Listing = { path: PathOfEntity; query: { limit?: number; page?: number } } & Env;
type Restoring = { path: PathOfEntity & { version: number } } & Env;

const idIn = (path: PathOfEntity) => ("id" in path ? path.id : path.name);

/** Makes the handler that lists the versions of an entity. `called` is the entity's kind in messages. */
export function listVersions<E extends Versioned>(operation: OperationId, called: string, storeOf: StoreOf<E>) {
  return async ({ path, query, stores }: Listing) => {
    const id = idIn(path);
    const { data, total } = await storeOf(stores).listVersions(id, toWindow(query));
    const pagination = paginate(routes[operation].path.replace(/\{\w+\}/, encodeURIComponent(id)), query, total);
    return { status: 200 as const, body: { message: `${called} versions listed successfully.`, data, pagination } };
  };
}

/** Makes the handler that restores a version of an entity. `called` is the entity's kind in messages. */
export function restoreVersion<E extends Versioned>(called: string, storeOf: StoreOf<E>, { restore = restored, write }: Options<E> = {}) {
  const writeOne: NonNullable<typeof write> =
    write ??
    (async (id, old, { context, stores }) => {
      const current = await storeOf(stores).get(id);
      return storeOf(stores).replace(current, restore(current, old, context));
    });
  return async ({ path, context, stores }: Restoring) => {
    const id = idIn(path);
    await storeOf(stores).get(id);
    const old = await storeOf(stores).getVersion(id, path.version);
    const data = await writeOne(id, old, { context, stores });
    return { status: 200 as const, body: { message: `${called} version ${path.version} restored successfully.`, data } };
  };
}

/** The old version as a new one. */
export function restored<E extends Versioned>(current: E, old: E, context: Context): E {
  return { ...old, ...modified(current, context) };
}
