import type { Permission } from "@gatehouse/contract";
import type { Context } from "../context.ts";
import type { Prisma } from "../generated/prisma/client.ts";
import type { Reference } from "../reference.ts";
import type { Versioned } from "./entity-tag.ts";
import type { Row } from "./row.ts";
import type { ColumnName, ColumnValue, OwnColumn, Table } from "./table.ts";

/** How entities of one kind are stored: all that the entity store, the change log and the references know of it. */
export type Kind<E extends Versioned> = {
  table: Table;
  /** What the change log and the references call it: `dynamic_config`. */
  type: string;
  /** The column of its id: `id` if not given. */
  idColumn?: string;
  /** What else its key is made of, beside the project. */
  scope?: { [column: string]: string };
  idOf(entity: E, projectID: string): string;
  /** What a caller calls it, where that is not its id. */
  nameOf?(entity: E): string;
  columns: { [column: string]: Column<E, Row[string]> };
  /** What it names; null for what can name nothing. An archived entity counts as naming nothing. */
  references: ((entity: E) => Reference[]) | null;
  isArchived?(entity: E): boolean;
  /** How references to it are checked; null for a kind that nothing can reference. */
  named: Naming<E> | null;
  /**
   * What a write of it changes of the project's ruleset, whose time then goes up; null where SDKs have nothing to download after it.
   */
  ruleset: string | null;
  /**
   * What a caller needs for what a write changes, beside the operation's permission; null where that is nothing. There is no `before` at
   * creation, and no `after` at deletion.
   */
  needs: ((before: E | null, after: E | null) => Permission[]) | null;
  found?: Found<E>;
};

/** A kind with the columns that its Prisma model has: each of them, and no other. */
export type KindIn<T extends Table, E extends Versioned> = Omit<Kind<E>, "table" | "idColumn" | "columns"> & {
  table: T;
  idColumn?: ColumnName<T>;
  columns: { [C in OwnColumn<T>]: Column<E, ColumnValue<T, C>> };
};

/**
 * Where a column has its value from: a function of the entity where lists filter by the column; `unlisted` where no list does; `elsewhere`
 * where something else than the entity store writes it.
 */
export type Column<E, V> = ((entity: E) => V) | { unlisted(entity: E): V } | "elsewhere";

/** How a reference to an entity is checked, when something newly names it. `as` is the type of the reference. */
export type Naming<E> = { as: string } & (
  | {
      /** It must be there and not archived, and is locked against deletion. */
      check: "exists";
      isArchived: Prisma.Sql;
    }
  | {
      /** It is made where it is first named. */
      check: "made";
      make(reference: Reference, by: Context): E;
    }
  /** Whoever names it looks it up and locks it. */
  | { check: "by its namer" }
);

/** What is answered of an entity and not kept with it: a column of every read, and the entity with what was found there. */
export type Found<E> = { column(table: Prisma.Sql): Prisma.Sql; put(entity: E, value: unknown): E };
