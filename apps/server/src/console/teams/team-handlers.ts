import type { Handlers } from "@gatehouse/contract";
import type { operations } from "@gatehouse/contract/console";
import type { Env } from "../../stores.ts";
import { paginate, toWindow } from "../common/page.ts";
import { listVersions, restoreVersion } from "../common/version-handlers.ts";
import { newTeam } from "./team.ts";

export const teamHandlers = {
  listTeamVersions: listVersions("listTeamVersions", "Team", (stores) => stores.teams),
  restoreTeamVersion: restoreVersion("Team", (stores) => stores.teams),

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

  async deleteTeam({ path, query, stores }) {
    await stores.teams.delete(await stores.teams.get(path.id), { force: query.forceArchive });
    return { status: 200, body: { message: "Team deleted successfully" } };
  },
} satisfies Partial<Handlers<operations, Env>>;
