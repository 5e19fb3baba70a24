import type { Context } from "../../common/context.ts";
import { invalid, notFound } from "../../common/errors.ts";
import { title, words } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../change-log/entity-text.ts";
import { matches, name } from "../database/row.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import { entityStore } from "./entity-store.ts";
import type { Kind } from "./kind.ts";
import type { Reference } from "./reference.ts";
import type { StoreDeps } from "./store-deps.ts";

type Named = Versioned & { id: string; name: string };

/** A store of entities that callers address by id or by name. The name is a column that is unique in the project. */
export function namedStore<E extends Named>(deps: StoreDeps, kind: Kind<E>) {
  const { db, projectID, log } = deps;
  const store = entityStore(deps, kind);

  /** The entity with this id or else this name. `hold` locks it against renaming and deletion until the transaction ends. */
  async function find(idOrName: string, { hold = false } = {}): Promise<E | undefined> {
    const rows = await db.$queryRaw<{ entity: string }[]>`
      select entity from ${name(kind.table)} where ${matches({ projectID })} and (id = ${idOrName} or name = ${idOrName})
      order by id = ${idOrName} desc limit 1 ${hold ? Prisma.sql`for key share` : Prisma.empty}`;
    const entity = rows[0] && fromText<E>(rows[0].entity);
    if (entity) log.resolved(kind.type, idOrName, entity.id);
    return entity;
  }

  /** @throws AppError not_found */
  async function get(idOrName: string): Promise<E> {
    const entity = await find(idOrName);
    if (!entity) throw notFound(title(kind.type), idOrName);
    return entity;
  }

  /** Deleted entities have only an id. */
  const toID = async (idOrName: string) => (await find(idOrName))?.id ?? idOrName;

  return {
    ...store,
    find,
    get,

    listVersions: async (idOrName: string, window: { skip: number; take: number }) => store.listVersions(await toID(idOrName), window),
    getVersion: async (idOrName: string, version: number) => store.getVersion(await toID(idOrName), version),
  };
}

/**
 * Creates the missing targets of references, and locks the others against deletion and renaming until the transaction ends. In the order of
 * the names, so that requests do not deadlock.
 */
export async function register<E extends Versioned>(
  deps: StoreDeps,
  kind: Kind<E>,
  references: Reference[],
  make: (reference: Reference, by: Context) => E,
): Promise<void> {
  const known = await lockNames(deps, kind, references);
  const store = entityStore(deps, kind);
  const found: Reference[] = [];
  for (const reference of references.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    if (known.has(reference.id)) continue;
    const isMade = await store.ensure(make(reference, deps.by));
    if (!isMade) found.push(reference);
  }
  // Another request has made them just now, or a name in another case is in the way.
  if (found.length > 0) await requireSameCase(deps, kind, found);
}

/** The ids and names of the targets that exist, which it locks. */
async function lockNames<E extends Versioned>(deps: StoreDeps, kind: Kind<E>, references: Reference[]): Promise<Set<string | undefined>> {
  const names = references.map(({ id }) => id);
  const isNamed = kind.getName
    ? Prisma.sql`(id = any(${names}::text[]) or name = any(${names}::text[]))`
    : Prisma.sql`id = any(${names}::text[])`;
  const rows = await deps.db.$queryRaw<{ id: string; name?: string }[]>`
    select id${kind.getName ? Prisma.sql`, name` : Prisma.empty} from ${name(kind.table)}
    where ${matches({ projectID: deps.projectID })} and ${isNamed} order by id for key share`;
  return new Set(rows.flatMap((row) => [row.id, row.name]));
}

/** @throws AppError invalid_request for each name that an existing one differs from only in case */
async function requireSameCase<E extends Versioned>(deps: StoreDeps, kind: Kind<E>, references: Reference[]): Promise<void> {
  const known = await lockNames(deps, kind, references);
  const others = references.filter(({ id }) => !known.has(id));
  if (others.length === 0) return;
  const errorMessage = ({ id }: Reference) => `is ${id}, which differs only in upper and lower case from another ${words(kind.type)}`;
  throw invalid(others.map((reference) => ({ property: reference.place, errorMessage: errorMessage(reference) })));
}
