import { conflict, invalid, notFound } from "../../common/errors.ts";
import { title, words } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { lock } from "../../store/database/locks.ts";
import { matches, name } from "../../store/database/row.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { Kind } from "../../store/entities/kind.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "./page.ts";
import type { Subject } from "./subject.ts";

/** An entity such as a comment, which exists as long as its subject does. */
type Attached<Type extends string> = Subject<Type> & { id: string; version: number; createdTime: number };

/** The columns of every attached entity. */
export const SUBJECT_COLUMNS = {
  entityType: ({ entityType }: Subject<string>) => entityType,
  entityID: ({ entityID }: Subject<string>) => entityID,
  entityCreatedTime: ({ entityCreatedTime }: Subject<string>) => entityCreatedTime,
};

/**
 * The store of a kind whose entities are attached to others. They are hidden while their subject is deleted.
 * @param max how many a subject can have
 */
export function attachedStore<E extends Attached<string>>(deps: StoreDeps, kind: Kind<E>, max: number) {
  const { db, projectID } = deps;
  const store = entityStore(deps, kind);

  /** The entity with this id, or this name if its kind has names beside ids. */
  async function findSubject(entityType: E["entityType"], id: string): Promise<Subject<E["entityType"]> | undefined> {
    const found = deps.kinds.map((one) => one.kind).find(({ type }) => type === entityType);
    if (!found) throw new Error(`No kind of entities has the type ${entityType}.`);
    const column = name(found.idColumn ?? "id");
    const isNamed = found.getName ? Prisma.sql`(${column} = ${id} or name = ${id})` : Prisma.sql`${column} = ${id}`;
    const [row] = await db.$queryRaw<{ id: string; createdTime: bigint }[]>`
      select ${column} as id, "createdTime" from ${name(found.table)} where ${matches({ projectID })} and ${isNamed}
      order by ${column} = ${id} desc limit 1`;
    return row && { entityType, entityID: row.id, entityCreatedTime: Number(row.createdTime) };
  }

  const find = async (id: string): Promise<E | undefined> => {
    const attached = await store.find(id);
    const subject = attached && (await findSubject(attached.entityType, attached.entityID));
    return subject?.entityCreatedTime === attached?.entityCreatedTime ? attached : undefined;
  };

  return {
    ...store,
    /** Undefined while its subject is deleted. */
    find,

    /** @throws AppError not_found if it does not exist, or its subject is deleted */
    async get(id: string): Promise<E> {
      const attached = await find(id);
      if (!attached) throw notFound(title(kind.type), id);
      return attached;
    },

    /** @throws AppError invalid_request if the entity does not exist */
    async requireSubject({ entityType, entityID }: Pick<E, "entityType" | "entityID">): Promise<Subject<E["entityType"]>> {
      const subject = await findSubject(entityType, entityID);
      if (!subject) throw invalid([{ property: "entityID", errorMessage: `is not the ID or name of an existing ${words(entityType)}` }]);
      return subject;
    },

    /** Everything of this kind that is attached to an entity, newest first. */
    async listOf({ type, id }: { type: E["entityType"]; id: string }, window: Window): Promise<{ data: E[]; total: number }> {
      const subject = await findSubject(type, id);
      if (!subject) return { data: [], total: 0 };
      return store.listWhere([matches(subject)], window);
    },

    /** @throws AppError conflict if its subject has too many */
    async create(attached: E, before?: E): Promise<E> {
      const { entityType, entityID, entityCreatedTime } = attached;
      const plural = `${words(kind.type)}s`;
      await lock(db, `${plural} of ${projectID} ${entityType} ${entityID}`);
      const [row] = await db.$queryRaw<[{ count: number }]>`
        select count(*)::int as count from ${name(kind.table)} where ${matches({ projectID, entityType, entityID, entityCreatedTime })}`;
      if (row.count >= max)
        throw conflict(`The ${words(entityType)} ${entityID} has ${max} ${plural}, which is the maximum. Delete one first.`);
      return store.create(attached, before);
    },
  };
}
