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

/** The search parameters of a list whose entities have a team and an owner. */
export const ownerSearch = (search: Record<string, unknown>) =>
  withoutAbsent({ teamID: textIn(search, "teamID"), ownerID: textIn(search, "ownerID") });

export type ListSearch = {
  search?: string;
  status?: string;
  tags?: string[];
  teamID?: string;
  ownerID?: string;
  sort?: string;
  order?: "asc" | "desc";
  page?: number;
};

/** The address as a request. */
export function listRequest<Status extends string, Sort extends string>({
  status,
  ...others
}: ReturnType<typeof listSearch<Status, Sort>>) {
  return { query: { limit: PAGE_SIZE, ...others, ...(status !== undefined && { status: [status as Status] }) } };
}

/** Parameters that do not decide which entities a list has. */
const NO_FILTERS: ReadonlySet<string> = new Set(["sort", "order", "page", "environment"]);

export const isFiltered = (search: object): boolean =>
  Object.entries(search).some(([name, value]) => value !== undefined && !NO_FILTERS.has(name));
