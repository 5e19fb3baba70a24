import type { Permission } from "@gatehouse/contract";
import type { Context } from "../../common/context.ts";
import type { Prisma } from "../../generated/prisma/client.ts";
import type { Row } from "../database/row.ts";
import type { ColumnName, ColumnValue, OwnColumn, Table } from "../database/table.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { Listing, ListingColumn } from "./listing.ts";
import type { Reference } from "./reference.ts";
import type { WriteReach } from "./write-reach.ts";

/** How entities of one kind are stored. The entity store, the change log and the references only read this. */
export type Kind<E extends Versioned> = {
  table: Table;
  /** Its name in the change log and in references: `dynamic_config`. */
  type: string;
  /** The column of its id. Defaults to `id`. */
  idColumn?: string;
  /** Further columns of its primary key, beside the project. */
  scope?: { [column: string]: string };
  getID(entity: E, projectID: string): string;
  /** The name that callers use, if it is not the id. */
  getName?(entity: E): string;
  columns: { [column: string]: Column<E, Row[string]> };
  /** The fields that lists search and sort by; null for a kind whose lists do neither. */
  listing: Listing<E> | null;
  /** Its references; null for a kind that has none. References of archived entities do not count. */
  references: ((entity: E) => Reference[]) | null;
  isArchived?(entity: E): boolean;
  /** How references to it are checked; null for a kind that cannot be referenced. */
  named: Naming<E> | null;
  /** The part of the project's ruleset that a write changes, which moves the ruleset's time. Null if SDKs have no new download then. */
  ruleset: string | null;
  /**
   * The permissions that a change requires beyond the operation's own. `before` is null at creation, `after` at deletion. Null if no change
   * requires any.
   */
  needs: ((before: E | null, after: E | null) => Permission[]) | null;
  /** The parts that a key may write if it is limited to environments or target apps. */
  reach: WriteReach<E>;
  computed?: Computed<E>;
};

/** A kind with the columns that its Prisma model has: each of them, and no other. */
export type KindIn<T extends Table, E extends Versioned> = Omit<Kind<E>, "table" | "idColumn" | "columns" | "listing"> & {
  table: T;
  idColumn?: ColumnName<T>;
  columns: { [C in Exclude<OwnColumn<T>, ListingColumn>]: Column<E, ColumnValue<T, C>> };
  listing: "searchText" extends ColumnName<T> ? Listing<E> : null;
};

/**
 * The source of a column's value: a function of the entity if lists filter by the column, or `unlisted` if no list does. `begins` means
 * that each write sets a value that something else changes later, and `elsewhere` that the entity store does not write it.
 */
type Column<E, V> = ((entity: E) => V) | { unlisted(entity: E): V } | { begins: V } | "elsewhere";

/** How a new reference to an entity is checked. `as` is the type of the reference. */
export type Naming<E> = { as: string } & (
  | {
      /** The target must exist and not be archived. It is locked against deletion. */
      check: "exists";
      isArchived: Prisma.Sql;
    }
  | {
      /** The first reference creates the target. */
      check: "made";
      make(reference: Reference, by: Context): E;
    }
  /** The slice of the referencing entity looks up the target and locks it. */
  | { check: "by its referrer" }
  /** A reference may name an entity that does not exist yet. */
  | { check: "may be missing" }
);

/** A field that reads compute and writes do not store: the SQL of a column, and the entity with the column's value. */
export type Computed<E> = { column(table: Prisma.Sql): Prisma.Sql; put(entity: E, value: unknown): E };
