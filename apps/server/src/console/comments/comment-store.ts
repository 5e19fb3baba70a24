import { requirePermissions } from "../../common/permissions.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { attachedStore, SUBJECT_COLUMNS } from "../common/attached-store.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EntityKind } from "../slice.ts";
import type { Comment } from "./comment.ts";
import { managingPermission } from "./commented-types.ts";

/** The most comments on an entity. */
const MAX_COMMENTS = 500;

export const commentKind: EntityKind<"comment", Comment> = {
  table: "comment",
  type: "comment",
  getID: (comment) => comment.id,
  references: null,
  columns: SUBJECT_COLUMNS,
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createCommentStore(deps: StoreDeps) {
  const { by } = deps;
  const store = attachedStore(deps, commentKind, MAX_COMMENTS);

  return {
    ...store,

    /** @throws AppError forbidden for a comment of someone else, unless the caller may delete its entity; conflict if `comment` is outdated */
    async delete(comment: Comment): Promise<void> {
      if (comment.author.id !== by.actor.id) requirePermissions(by, [managingPermission(comment.entityType)]);
      await store.delete(comment);
    },
  };
}
