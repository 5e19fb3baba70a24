import type { Request } from "../../api.ts";
import { textIn, withoutAbsent } from "../../shell/search-values.ts";

/** The search parameters of the teams. */
export const teamListSearch = (search: Record<string, unknown>) => withoutAbsent({ search: textIn(search, "search")?.slice(0, 100) });

export const teamListRequest = ({ search }: ReturnType<typeof teamListSearch>): Request<"listTeams"> => ({
  query: { limit: 1000, sort: "name", ...(search !== undefined && search.trim() !== "" && { search }) },
});
