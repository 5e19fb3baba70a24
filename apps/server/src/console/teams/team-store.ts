import type { Kind } from "../../store/entity-store.ts";
import { namedStore } from "../../store/named-store.ts";
import type { StoreContext } from "../../store/store-context.ts";
import { namedByTeam, type Team } from "./team.ts";

const kind: Kind<Team> = {
  table: "team",
  type: "team",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  references: namedByTeam,
  columns: ({ name }) => ({ name }),
};

export function createTeamStore(context: StoreContext) {
  return namedStore(context, kind);
}
