import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import type { Env, Stores } from "../../stores.ts";
import { paginate, toWindow, type Window } from "./page.ts";
import { modified } from "./stamp.ts";

/** The entities that have versions, as their operations call them. */
type Name = { [Id in keyof operations]: Id extends `restore${infer Entity}Version` ? Entity : never }[keyof operations];

type VersionHandlers<N extends Name> = Pick<
  Handlers<operations, Env>,
  Extract<`list${N}Versions` | `restore${N}Version`, keyof operations>
>;

type Versioned = { version: number };

/** The part of a store that versions are read and restored by. */
type VersionedStore<E extends Versioned> = {
  get(id: string): Promise<E>;
  listVersions(id: string, window: Window): Promise<{ data: E[]; total: number }>;
  getVersion(id: string, version: number): Promise<E>;
  replace(before: E, after: E): Promise<E>;
};

type Restore<E> = (current: E, old: E, context: Context) => E;

/** Makes an entity what it was, where its slice has a way of its own to write. */
type Write<E> = (id: string, old: E, env: Env) => Promise<E>;

/** `("layer", "Layer", "/console/v1/layers")` */
type Naming<N> = { entity: N; called: string; path: string };

/**
 * The two operations that an entity's versions have. `restore` makes the new version, where an entity has fields that do not come back;
 * `write` takes the place of reading the entity and replacing it, where a write is more than that.
 */
export function versionHandlers<N extends Name, E extends Versioned>(
  { entity, called, path: root }: Naming<N>,
  storeOf: (stores: Stores) => VersionedStore<E>,
  { restore = restored, write }: { restore?: Restore<E>; write?: Write<E> } = {},
): VersionHandlers<N> {
  const writeOne: Write<E> =
    write ??
    (async (id, old, { context, stores }) => {
      const current = await storeOf(stores).get(id);
      return storeOf(stores).replace(current, restore(current, old, context));
    });
  const handlers = {
    async [`list${entity}Versions`]({ path, query, stores }: Listing) {
      const id = path.id ?? path.name ?? "";
      const { data, total } = await storeOf(stores).listVersions(id, toWindow(query));
      const pagination = paginate(`${root}/${encodeURIComponent(id)}/versions`, query, total);
      return { status: 200, body: { message: `${called} versions listed successfully.`, data, pagination } };
    },

    async [`restore${entity}Version`]({ path, context, stores }: Restoring) {
      const id = path.id ?? path.name ?? "";
      await storeOf(stores).get(id);
      const old = await storeOf(stores).getVersion(id, path.version);
      const data = await writeOne(id, old, { context, stores });
      return { status: 200, body: { message: `${called} version ${path.version} restored successfully.`, data } };
    },
  };
  // The operations of an entity's versions answer that entity: the contract has one shape for them all.
  return handlers as unknown as VersionHandlers<N>;
}

type PathOfEntity = { id?: string; name?: string };
type Listing = { path: PathOfEntity; query: { limit?: number; page?: number } } & Env;
type Restoring = { path: PathOfEntity & { version: number } } & Env;

/** The entity as it was, as a new version. */
export function restored<E extends Versioned>(current: E, old: E, context: Context): E {
  return { ...old, ...modified(current, context) };
}
