import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import { paginate, toWindow } from "../common/page.ts";
import { renameEverywhere } from "../common/rename.ts";
import { listVersions, restored, restoreVersion } from "../common/version-handlers.ts";
import type { Env } from "../stores.ts";
import { changeTeam, newTeam, type Team } from "./team.ts";

export const teamHandlers = {
  listTeamVersions: listVersions("listTeamVersions", "Team", (stores) => stores.teams),
  restoreTeamVersion: restoreVersion("Team", (stores) => stores.teams, {
    write: (id, old, env) => writeTeam(id, env, (team) => restored(team, old, env.context)),
  }),

  async listTeams({ query, stores }) {
    const { data, total } = await stores.teams.list(toWindow(query));
    const pagination = paginate("/console/v1/users/teams", query, total);
    return { status: 200, body: { message: "Teams listed successfully.", data, pagination } };
  },

  async createTeam({ body, context, stores }) {
    const data = await stores.teams.create(newTeam(body, context));
    return { status: 200, body: { message: "Team created successfully.", data } };
  },

  async getTeam({ path, stores }) {
    const data = await stores.teams.get(path.id);
    return { status: 200, body: { message: "Team read successfully.", data } };
  },

  async patchTeam({ path, body, context, stores }) {
    const data = await writeTeam(path.id, { context, stores }, (team) => changeTeam(team, body, context));
    return { status: 200, body: { message: "Team updated successfully.", data } };
  },

  async deleteTeam({ path, query, stores }) {
    await stores.teams.delete(await stores.teams.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Team deleted successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;

/** Changes a team, and its name in every entity that has it. @throws AppError not_found; errors of `change` */
async function writeTeam(id: string, { context, stores }: Env, change: (team: Team) => Team): Promise<Team> {
  const team = await stores.teams.get(id);
  const data = await stores.teams.replace(team, change(team));
  await renameEverywhere(stores, { type: "team name", id: team.name }, data.name, context);
  return data;
}
