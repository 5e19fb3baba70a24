import { oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

export const SDKS = ["curl", "openfeature-server", "openfeature-web", "statsig-node-core", "statsig-node", "statsig-js-client"] as const;
export type SDK = (typeof SDKS)[number];

/** The search parameters of the page. The key is left out, since addresses end up in histories and logs. */
export function startSearch(search: Record<string, unknown>) {
  return withoutAbsent({ sdk: oneOf(search, "sdk", SDKS), gate: textIn(search, "gate") });
}
