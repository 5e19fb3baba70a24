import { notFound } from "../../errors.ts";
import { fromText, toText } from "../../store/entity-text.ts";
import type { StoreContext } from "../../store/store-context.ts";
import type { Window } from "../common/page.ts";
import { type Team, type TeamWithMembers, withoutMembers } from "./team.ts";

export function createTeamStore({ db, projectID, log }: StoreContext) {
  const subject = ({ id, name }: TeamWithMembers) => ({ table: "team", key: { projectID, id }, type: "team", id, name }) as const;
  return {
    /** Newest first. */
    async list(window: Window): Promise<{ teams: Team[]; total: number }> {
      const where = { projectID };
      const [rows, total] = await Promise.all([
        db.team.findMany({ where, ...window, orderBy: [{ createdTime: "desc" }, { id: "asc" }], select: { entity: true } }),
        db.team.count({ where }),
      ]);
      return { teams: rows.map(toTeam).map(withoutMembers), total };
    },

    /** The team with this id or, if there is none, with this name. @throws AppError not_found */
    async get(idOrName: string): Promise<TeamWithMembers> {
      const rows = await db.team.findMany({
        where: { projectID, OR: [{ id: idOrName }, { name: idOrName }] },
        select: { id: true, entity: true },
      });
      const row = rows.find(({ id }) => id === idOrName) ?? rows[0];
      if (!row) throw notFound("Team", idOrName);
      return toTeam(row);
    },

    /** @throws AppError conflict if the name is taken */
    create: (team: TeamWithMembers) => log.create(subject(team), team, toColumns(team)),
    delete: (team: TeamWithMembers) => log.delete(subject(team), team),
  };
}

function toTeam({ entity }: { entity: string }): TeamWithMembers {
  return fromText(entity);
}

function toColumns(team: TeamWithMembers) {
  return { name: team.name, version: team.version, createdTime: team.createdTime, entity: toText(team) };
}
