import type { Kind } from "../../store/entity-store.ts";
import { namedStore } from "../../store/named-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { namedByTeam, type TeamWithMembers } from "./team.ts";

const kind: Kind<TeamWithMembers> = {
  table: "team",
  type: "team",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  references: namedByTeam,
  columns: ({ name }) => ({ name }),
};

export function createTeamStore(context: StoreContext) {
  const store = namedStore(context, kind);
  return {
    ...store,

    /** Newest first. */
    list: (window: Window) => store.list([], window),
  };
}
