import type { Schema } from "@gatehouse/contract/console";
import { notFound } from "../../common/errors.ts";
import { title } from "../../common/words.ts";
import { matches, name } from "../../store/database/row.ts";
import type { Table } from "../../store/database/table.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { OverridesKind, RulesetPart } from "../slice.ts";
import { reachOfOverrideLists } from "./parts-elsewhere.ts";

type Overrides = { version: number; createdTime: number };
type OwnerType = Extract<Table, "autotune" | "experiment" | "gate" | "holdout" | "layer">;

/** The properties that all kinds of overrides share. */
export function ofOwner<Owner extends OwnerType>(ownerType: Owner) {
  return {
    table: "overrides",
    type: `${ownerType}_overrides`,
    scope: { ownerType },
    idColumn: "ownerID",
    columns: {},
    listing: null,
    named: null,
  } as const;
}

/** Overrides that are lists of passing and failing ids. They hold no references. */
export function overrideListsKind<Owner extends "gate" | "holdout">(
  ownerType: Owner,
  ruleset: RulesetPart,
): OverridesKind<Schema<"OverrideLists">, `${Owner}_overrides`> {
  return { ...ofOwner(ownerType), references: null, ruleset, needs: null, reach: reachOfOverrideLists };
}

/** The store of one entity's overrides. They are a row of their own, created by the first write; until then they read as `none`. */
export function createOverridesStore<E extends Overrides>(deps: StoreDeps, kind: OverridesKind<E>, ownerID: string, none: E) {
  const store = entityStore<E>(deps, { ...kind, getID: () => ownerID });
  const ownerType = kind.scope?.ownerType ?? "";
  return {
    async get(): Promise<E> {
      return (await store.find(ownerID)) ?? none;
    },

    /** The owner's overrides when it was deleted; `none` if it had no overrides. */
    async getDeleted(): Promise<E> {
      return (await store.findDeleted(ownerID, ownerType)) ?? none;
    },

    /** Creates overrides that were deleted with the owner again, once the owner exists again. */
    async bringBack(): Promise<void> {
      const deleted = await store.findDeleted(ownerID, ownerType);
      if (deleted) await store.create({ ...deleted, version: deleted.version + 1 });
    },

    /** @throws AppError not_found if the owner has been deleted */
    async replace(before: E, after: E): Promise<E> {
      await requireOwner();
      return before.version === 0 ? store.create(after, before) : store.replace(before, after);
    },

    /** Deletes the row, if there is one: with the owner, or to clear all overrides. */
    async delete(): Promise<void> {
      const overrides = await store.find(ownerID);
      if (overrides) await store.delete(overrides);
    },
  };

  /** Locks the owner against deletion until the transaction ends. */
  async function requireOwner(): Promise<void> {
    const { db, projectID } = deps;
    const rows = await db.$queryRaw<unknown[]>`
      select 1 from ${name(ownerType)} where ${matches({ projectID, id: ownerID })} for key share`;
    if (rows.length === 0) throw notFound(title(ownerType), ownerID);
  }
}
