import { requirePermissions } from "../../common/permissions.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
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

    /** The teams with these ids or names. */
    async findNamed(idsOrNames: readonly string[]): Promise<Team[]> {
      if (idsOrNames.length === 0) return [];
      const rows = await deps.db.$queryRaw<{ entity: string }[]>`
        select entity from team where "projectID" = ${deps.projectID} and (id = any(${idsOrNames}::text[]) or name = any(${idsOrNames}::text[]))`;
      return rows.map(({ entity }) => fromText<Team>(entity));
    },

    /** The teams of a person: `members <id>` and `admins <id>`. */
    async keysOfPerson(email: string | null): Promise<string[]> {
      if (email === null) return [];
      const rows = await deps.db.$queryRaw<{ key: string }[]>`
        select list || ' ' || id as key
        from team, unnest(array['members', 'admins']) as list, jsonb_array_elements(entity::jsonb->list) as person
        where "projectID" = ${deps.projectID} and lower(person->>'email') = lower(${email})`;
      return rows.map(({ key }) => key);
    },

    /** For operations that do not need the permission to change teams by themselves. @throws AppError forbidden; conflict */
    async addMembers(before: Team, after: Team): Promise<Team> {
      requirePermissions(deps.by, ["create_teams"]);
      return store.replace(before, after);
    },
  };
}
