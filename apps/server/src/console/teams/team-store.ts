import { requirePermissions } from "../../common/permissions.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { namedStore } from "../../store/entities/named-store.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { BY_NAME } from "../common/listed.ts";
import { EVERYWHERE } from "../common/parts-elsewhere.ts";
import type { NamedKind } from "../slice.ts";
import { namedByTeam, type Team } from "./team.ts";

export const teamKind: NamedKind<"team", Team> = {
  table: "team",
  type: "team",
  getID: (team) => team.id,
  getName: (team) => team.name,
  references: namedByTeam,
  columns: { name: (team) => team.name, caselessName: { unlisted: (team) => team.name.toLowerCase() } },
  listing: BY_NAME,
  named: { as: "team", check: "exists", isArchived: Prisma.sql`false` },
  ruleset: null,
  needs: null,
  reach: EVERYWHERE,
};

export function createTeamStore(deps: StoreDeps) {
  const store = namedStore(deps, teamKind);
  return {
    ...store,

    /** For operations that do not need the permission to change teams by themselves. @throws AppError forbidden; conflict */
    async addMembers(before: Team, after: Team): Promise<Team> {
      requirePermissions(deps.by, ["create_teams"]);
      return store.replace(before, after);
    },
  };
}
