import { oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";
import { SDKS } from "../../start/sdks.ts";

/** The search parameters of the page. The key is left out, since addresses end up in histories and logs. */
export function startSearch(search: Record<string, unknown>) {
  return withoutAbsent({ sdk: oneOf(search, "sdk", SDKS), gate: textIn(search, "gate") });
}
