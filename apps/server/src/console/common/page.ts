import type { Schema } from "@gatehouse/contract/console";

type Pagination = Schema<"Pagination">;

type PageQuery = { limit?: number; page?: number };
type Query = PageQuery & { [filter: string]: unknown };
/** The search of a list, and its order. */
type ListQuery = { search?: string; sort?: Schema<"StatusListSort">; order?: Schema<"ListOrder"> };

/** The rows of a list that are on one page. */
export type Window = { skip: number; take: number } & ListQuery;

/** The rows that a query asks for. */
export function toWindow({ search, sort, order, ...query }: PageQuery & ListQuery): Window {
  const { limit, page } = position(query);
  return { skip: (page - 1) * limit, take: limit, ...(search && { search }), ...(sort && { sort }), ...(order && { order }) };
}

/** The filters of a query: all parameters except those of the page and the window. */
export function pickFilters<Q extends PageQuery & ListQuery>({ limit, page, search, sort, order, ...filter }: Q) {
  return filter;
}

/** Whether a list finds archived entities: undefined for both. Those in a status that is asked for are found unless they are excluded. */
export function isArchivedIn({ includeArchived, status }: { includeArchived?: boolean; status?: string[] }): false | undefined {
  return (includeArchived ?? status !== undefined) ? undefined : false;
}

/** The pagination of the list at `path`. The links to the neighbouring pages keep the query's filters. */
export function paginate(path: string, query: Query, totalItems: number): Pagination {
  const { limit, page } = position(query);
  const link = (number: number) => `${path}?${[...filters(query), `page=${number}`, `limit=${limit}`].join("&")}`;
  return {
    itemsPerPage: limit,
    pageNumber: page,
    totalItems,
    nextPage: limit > 0 && page * limit < totalItems ? link(page + 1) : null,
    previousPage: page > 1 ? link(page - 1) : null,
    all: path,
  };
}

/** The items on the page that a query asks for. */
export function selectPage<Item>(items: readonly Item[], query: PageQuery): Item[] {
  const { skip, take } = toWindow(query);
  return items.slice(skip, skip + take);
}

/** A page of items that are all in memory, with its pagination. */
export function pageThrough<Item>(path: string, query: Query, items: readonly Item[]): { data: Item[]; pagination: Pagination } {
  return { data: selectPage(items, query), pagination: paginate(path, query, items.length) };
}

/** The validator fills in these defaults of the contract; they are here for calls without it. */
function position({ limit = 100, page = 1 }: PageQuery): { limit: number; page: number } {
  return { limit, page };
}

function filters({ limit: _limit, page: _page, ...rest }: Query): string[] {
  return Object.entries(rest).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined)
      .map((one) => `${encodeURIComponent(name)}=${encodeURIComponent(String(one))}`),
  );
}
