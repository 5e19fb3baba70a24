import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict } from "../../common/errors.ts";
import { randomID } from "../../common/identifier.ts";
import { CORE_TAG } from "../common/needs.ts";
import { created, modified } from "../common/stamp.ts";

export type Tag = Schema<"Tag">;
type TagCreate = WritableSchema<"TagCreate">;
type TagPatch = WritableSchema<"TagPatch">;

/** Creates a tag. Only the name is required. */
export function newTag({ name, description = "", isCore = name === CORE_TAG }: TagCreate, context: Context): Tag {
  return { id: randomID(), name, description, isCore, ...created(context) };
}

/** The tag with the given fields changed. @throws AppError conflict if ★ Core would lose its name or its `isCore` */
export function changeTag(tag: Tag, given: TagPatch, context: Context): Tag {
  const changed = { ...tag, ...given, ...modified(tag, context) };
  if (tag.name === CORE_TAG && (changed.name !== CORE_TAG || !changed.isCore)) {
    throw conflict(`Every project has the core tag ${CORE_TAG}: only its description can change.`, "name");
  }
  return changed;
}

/** @throws AppError conflict for ★ Core */
export function requireDeletable({ name }: Tag): void {
  if (name === CORE_TAG) throw conflict(`Every project has the core tag ${CORE_TAG}: it cannot be deleted.`, "name");
}
