import type { Schema } from "../../api.ts";
import type { SORTS } from "./search.ts";

/** An event name as far as lists sort it. */
type Sortable = Pick<Schema<"EventName">, "name" | "count" | "firstTime" | "lastTime">;
export type Sort = (typeof SORTS)[number];
export type Order = "asc" | "desc";

/** The newest event first, unless the address says otherwise. */
export const USUAL_SORT: Sort = "lastTime";

export const usualOrder = (sort: Sort): Order => (sort === "name" ? "asc" : "desc");

/** Names in an order. Equal ones stay in the order of their names. */
export function sortedNames<Name extends Sortable>(names: readonly Name[], sort: Sort, order: Order): Name[] {
  const sign = order === "asc" ? 1 : -1;
  return names.toSorted((a, b) => (a[sort] < b[sort] ? -sign : a[sort] > b[sort] ? sign : 0));
}
