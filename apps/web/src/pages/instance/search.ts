import type { Request } from "../../api.ts";
import { numberIn, oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

const PAGE_SIZE = 50;
const MAX_PAGE = 1_000_000;

const VIEWS = ["people", "projects", "resets"] as const;

/** The search parameters of the server's page. */
export function instanceSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    view: oneOf(search, "view", VIEWS),
    search: textIn(search, "search"),
    page: numberIn(search, "page", { min: 1, max: MAX_PAGE }),
    person: textIn(search, "person"),
  });
}

export type InstanceSearch = ReturnType<typeof instanceSearch>;

export const peopleRequest = ({ search, page }: InstanceSearch): Request<"listPeople"> => ({
  query: { limit: PAGE_SIZE, ...withoutAbsent({ search, page }) },
});

export const projectsRequest = ({ page }: InstanceSearch): Request<"listProjects"> => ({
  query: { limit: PAGE_SIZE, ...withoutAbsent({ page }) },
});
