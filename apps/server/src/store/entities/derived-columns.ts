import type { Row } from "../database/row.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { Kind } from "./kind.ts";
import { listingColumns, toSearchText } from "./listing.ts";

type Derived<E extends Versioned> = Pick<Kind<E>, "columns" | "listing">;

/**
 * The version of data that is derived from entities: their columns and references. Raise it with each change of a kind's columns, listing
 * or references. Then a job derives again the data that servers of earlier releases have written.
 */
export const DERIVATION = 6;

/** The columns that are derived from an entity. */
export function deriveColumns<E extends Versioned>(kind: Derived<E>, id: string, entity: E): Row {
  return { ...listedColumns(kind, entity), ...unlistedColumns(kind, entity), ...searchColumns(kind, id, entity), derivation: DERIVATION };
}

/** Whether lists find an entity otherwise after a change. */
export function isListedOtherwise<E extends Versioned>(kind: Derived<E>, id: string, before: E, after: E): boolean {
  return (
    JSON.stringify(listedColumns(kind, before)) !== JSON.stringify(listedColumns(kind, after)) ||
    searchTextIn(kind, id, before) !== searchTextIn(kind, id, after)
  );
}

function searchColumns<E extends Versioned>(kind: Derived<E>, id: string, entity: E): Row {
  if (!kind.listing) return {};
  const searchText = searchTextIn(kind, id, entity);
  return { searchText, ...listingColumns(kind.listing, searchText, entity) };
}

function searchTextIn<E extends Versioned>({ listing }: Derived<E>, id: string, entity: E): string {
  return listing ? toSearchText(listing, id, entity) : "";
}

/** The columns that lists filter by. */
function listedColumns<E extends Versioned>({ columns }: Derived<E>, entity: E): Row {
  return toRow(columns, (source) => (typeof source === "function" ? source(entity) : undefined));
}

/** The other columns, which no list filters by. */
function unlistedColumns<E extends Versioned>({ columns }: Derived<E>, entity: E): Row {
  return toRow(columns, (source) => (typeof source === "object" && "unlisted" in source ? source.unlisted(entity) : undefined));
}

/** The values that a write sets, until something else changes them. */
export function beginningColumns<E extends Versioned>({ columns }: Derived<E>): Row {
  return toRow(columns, (source) => (typeof source === "object" && "begins" in source ? source.begins : undefined));
}

function toRow<Source>(columns: { [column: string]: Source }, read: (source: Source) => Row[string] | undefined): Row {
  const row: Row = {};
  for (const column in columns) {
    const value = read(columns[column] as Source);
    if (value !== undefined) row[column] = value;
  }
  return row;
}
