import type { Request } from "../../api.ts";
import { untaggedListSearch } from "../../entity/plain-list-search.ts";

/** The list has no pages here: the contract does not say how many release pipelines there are. */
const MAX_LISTED = 1_000;

export const pipelineListSearch = (search: Record<string, unknown>) => {
  const { page: _, ...known } = untaggedListSearch(search);
  return known;
};

export const pipelineListRequest = (search: ReturnType<typeof pipelineListSearch>): Request<"listReleasePipelines"> => ({
  query: { limit: MAX_LISTED, ...search },
});
