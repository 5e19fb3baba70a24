import { conflict, invalid, notFound } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { words } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { lock } from "../../store/database/locks.ts";
import { matches, name } from "../../store/database/row.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import type { Comment, Commented } from "./comment.ts";
import { type CommentedType, managingPermission } from "./commented-types.ts";

/** The most comments on an entity. */
const MAX_COMMENTS = 500;

export const commentKind: EntityKind<"comment", Comment> = {
  table: "comment",
  type: "comment",
  getID: (comment) => comment.id,
  references: null,
  columns: {
    entityType: ({ entityType }) => entityType,
    entityID: ({ entityID }) => entityID,
    entityCreatedTime: ({ entityCreatedTime }) => entityCreatedTime,
  },
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createCommentStore(deps: StoreDeps) {
  const { db, projectID, by } = deps;
  const store = entityStore(deps, commentKind);

  /** The entity with this id, or this name if its kind has names beside ids. */
  async function findCommented(entityType: CommentedType, id: string): Promise<Commented | undefined> {
    const kind = deps.kinds.map(({ kind }) => kind).find(({ type }) => type === entityType);
    if (!kind) throw new Error(`No kind of entities has the type ${entityType}.`);
    const column = name(kind.idColumn ?? "id");
    const isNamed = kind.getName ? Prisma.sql`(${column} = ${id} or name = ${id})` : Prisma.sql`${column} = ${id}`;
    const [row] = await db.$queryRaw<{ id: string; createdTime: bigint }[]>`
      select ${column} as id, "createdTime" from ${name(kind.table)} where ${matches({ projectID })} and ${isNamed}
      order by ${column} = ${id} desc limit 1`;
    return row && { entityType, entityID: row.id, entityCreatedTime: Number(row.createdTime) };
  }

  const find = async (id: string): Promise<Comment | undefined> => {
    const comment = await store.find(id);
    const commented = comment && (await findCommented(comment.entityType, comment.entityID));
    return commented?.entityCreatedTime === comment?.entityCreatedTime ? comment : undefined;
  };

  return {
    ...store,
    /** Undefined while its entity is deleted. */
    find,

    /** @throws AppError not_found if it does not exist, or its entity is deleted */
    async get(id: string): Promise<Comment> {
      const comment = await find(id);
      if (!comment) throw notFound("Comment", id);
      return comment;
    },

    /** @throws AppError invalid_request if the entity does not exist */
    async requireCommented({ entityType, entityID }: Pick<Commented, "entityType" | "entityID">): Promise<Commented> {
      const commented = await findCommented(entityType, entityID);
      if (!commented) throw invalid([{ property: "entityID", errorMessage: `is not the id of an existing ${words(entityType)}` }]);
      return commented;
    },

    /** The comments on an entity, newest first. */
    async listOf({ type, id }: { type: CommentedType; id: string }, window: Window): Promise<{ data: Comment[]; total: number }> {
      const commented = await findCommented(type, id);
      if (!commented) return { data: [], total: 0 };
      return store.listWhere([matches(commented)], window);
    },

    /** @throws AppError conflict if its entity has too many comments */
    async create(comment: Comment, before?: Comment): Promise<Comment> {
      const { entityType, entityID, entityCreatedTime } = comment;
      await lock(db, `comments of ${projectID} ${entityType} ${entityID}`);
      const [row] = await db.$queryRaw<[{ count: number }]>`
        select count(*)::int as count from comment where ${matches({ projectID, entityType, entityID, entityCreatedTime })}`;
      if (row.count >= MAX_COMMENTS)
        throw conflict(`The ${words(entityType)} ${entityID} has ${MAX_COMMENTS} comments, which is the maximum. Delete one first.`);
      return store.create(comment, before);
    },

    /** @throws AppError forbidden for a comment of someone else, unless the caller may delete its entity; conflict if `comment` is outdated */
    async delete(comment: Comment): Promise<void> {
      if (comment.author.id !== by.actor.id) requirePermissions(by, [managingPermission(comment.entityType)]);
      await store.delete(comment);
    },
  };
}
