import { notFound } from "../../errors.ts";
import { entityStore, type Kind } from "../../store/entity-store.ts";
import { filters } from "../../store/filters.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { namedByTeam, type Team, type TeamWithMembers, withoutMembers } from "./team.ts";

const kind: Kind<TeamWithMembers> = {
  table: "team",
  type: "team",
  idOf: ({ id }) => id,
  nameOf: ({ name }) => name,
  references: namedByTeam,
  columns: ({ name }) => ({ name }),
};

export function createTeamStore(context: StoreContext) {
  const store = entityStore(context, kind);

  async function get(idOrName: string): Promise<TeamWithMembers> {
    const team = (await store.find(idOrName)) ?? (await store.list(filters.equal({ name: idOrName }), { skip: 0, take: 1 })).data[0];
    if (!team) throw notFound("Team", idOrName);
    return team;
  }

  return {
    ...store,

    /** Newest first. */
    async list(window: Window): Promise<{ data: Team[]; total: number }> {
      const { data, total } = await store.list([], window);
      return { data: data.map(withoutMembers), total };
    },

    /** The team with this id or, if there is none, with this name. @throws AppError not_found */
    get,

    /** @throws AppError not_found */
    listVersions: async (idOrName: string, window: Window) => store.listVersions((await get(idOrName)).id, window),

    /** @throws AppError not_found */
    getVersion: async (idOrName: string, version: number) => store.getVersion((await get(idOrName)).id, version),
  };
}
