import { listRequest, listSearch, ownerSearch, PAGE_SIZE } from "./list-search.ts";

const SORTS = ["name", "createdTime", "lastModifiedTime"] as const;

/** The search parameters of a list whose entities have no status. */
export function plainListSearch(search: Record<string, unknown>) {
  const { status: _, ...known } = listSearch(search, { statuses: [], sorts: SORTS });
  return known;
}

/** The same for entities with tags, a team and an owner. */
export const ownerListSearch = (search: Record<string, unknown>) => ({ ...plainListSearch(search), ...ownerSearch(search) });

/** The same for entities with a status. The address has at most one. */
export const statusListSearch =
  <Status extends string>(statuses: readonly Status[]) =>
  (search: Record<string, unknown>) => ({ ...listSearch(search, { statuses, sorts: SORTS }), ...ownerSearch(search) });

export const statusListRequest = <Status extends string>(search: ReturnType<ReturnType<typeof statusListSearch<Status>>>) =>
  listRequest<Status, (typeof SORTS)[number]>(search);

/** The same for entities without tags, but with a team and an owner. */
export function untaggedOwnerSearch(search: Record<string, unknown>) {
  const { tags: _, ...known } = ownerListSearch(search);
  return known;
}

export const plainListRequest = <Search extends object>(search: Search) => ({ query: { limit: PAGE_SIZE, ...search } });

/** The search parameters of an entity's page: its open tab, the version shown in the history, and the comment that a link leads to. */
export function tabSearch<Tab extends string>(tabs: Readonly<Record<Tab, string>>) {
  return (search: Record<string, unknown>): { tab?: Tab; version?: number; comment?: string } => {
    const { tab, version, comment } = search;
    const number = Number(version);
    return {
      // Pages of most kinds have a tab with comments.
      ...(typeof tab === "string" && (tab === "comments" || Object.hasOwn(tabs, tab)) && { tab: tab as Tab }),
      ...(version !== undefined && Number.isInteger(number) && number >= 1 && number <= 1e9 && { version: number }),
      ...(typeof comment === "string" && { comment }),
    };
  };
}
