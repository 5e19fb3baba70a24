import type { Request } from "../../api.ts";
import { numberIn, textIn, withoutAbsent } from "../../shell/search-values.ts";

const MAX_TEXT = 100;
const MAX_PAGE = 100_000;

/** The search parameters of the list. The environment is the one that the shell shows. */
export const sdkSearch = (search: Record<string, unknown>) =>
  withoutAbsent({
    keyID: textIn(search, "keyID")?.slice(0, MAX_TEXT),
    environment: textIn(search, "environment")?.slice(0, MAX_TEXT),
    page: numberIn(search, "page", { min: 2, max: MAX_PAGE }),
  });

export const sdkRequest = (search: ReturnType<typeof sdkSearch>): Request<"listSDKs"> => ({ query: { limit: 100, ...search } });
