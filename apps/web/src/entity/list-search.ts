import { listIn, numberIn, oneOf, textIn, withoutAbsent } from "../shell/search-values.ts";

const MAX_PAGE = 100_000;
export const PAGE_SIZE = 100;

/** The search parameters of a list's address. Each list names the states and orders of its operation. */
export function listSearch<Status extends string, Sort extends string>(
  search: Record<string, unknown>,
  { statuses, sorts }: { statuses: readonly Status[]; sorts: readonly Sort[] },
) {
  return withoutAbsent({
    search: textIn(search, "search"),
    status: oneOf(search, "status", statuses),
    tags: listIn(search, "tags"),
    sort: oneOf(search, "sort", sorts),
    order: oneOf(search, "order", ["asc", "desc"]),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });
}

export type ListSearch = { search?: string; status?: string; tags?: string[]; sort?: string; order?: "asc" | "desc"; page?: number };

/** The address as a request. */
export function listRequest<Status extends string, Sort extends string>({
  status,
  ...others
}: ReturnType<typeof listSearch<Status, Sort>>) {
  return { query: { limit: PAGE_SIZE, ...others, ...(status !== undefined && { status: [status as Status] }) } };
}

export const isFiltered = ({ search, status, tags }: ListSearch): boolean =>
  search !== undefined || status !== undefined || tags !== undefined;
