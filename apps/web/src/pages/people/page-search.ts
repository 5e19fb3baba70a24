import { oneOf, textIn, withoutAbsent } from "../../shell/search-values.ts";

/** The search parameters of the people. */
export function peopleSearch(search: Record<string, unknown>) {
  return withoutAbsent({
    search: textIn(search, "search"),
    role: textIn(search, "role"),
    view: oneOf(search, "view", ["invitations"]),
    person: textIn(search, "person"),
  });
}
