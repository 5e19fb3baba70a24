import { oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";
import { SDKS } from "./snippets.ts";

/** What the address says. The key is not in it, since addresses end up in histories and logs. */
export function startSearch(search: Record<string, unknown>) {
  return withoutAbsent({ sdk: oneOf(search, "sdk", SDKS), gate: textIn(search, "gate") });
}
