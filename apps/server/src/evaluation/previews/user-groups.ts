import type { WritableSchema } from "@gatehouse/contract/console";
import type { User } from "@gatehouse/evaluation";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import type { RecentUser } from "../events/recent-users-store.ts";

/** Users of an environment, who have its tier. */
export type UserGroup = { environment: string; users: User[] };

/** The users that applications reported, by the environments of the project in their order. */
export function groupSeen(seen: RecentUser[], { environments }: EvaluatedProject, defaultEnvironment: string | null): UserGroup[] {
  return environments.environments.map(({ name }) => {
    const isHere = ({ environment }: RecentUser) => isSame(environment || defaultEnvironment, name);
    return { environment: name, users: seen.filter(isHere).map((user) => toUser(user, name)) };
  });
}

/** The caller's users: each in the environment that they name, or else in each. */
export function groupGiven(users: WritableSchema<"PreviewUser">[], { environments }: EvaluatedProject): UserGroup[] {
  return environments.environments.map(({ name }) => {
    const here = users.filter(({ statsigEnvironment }) => isSame(statsigEnvironment?.tier ?? name, name));
    return { environment: name, users: here.map((user) => ({ ...user, statsigEnvironment: { tier: name } })) };
  });
}

/** The first users of the groups, so many in all. */
export function takeFirst(groups: UserGroup[], most: number): UserGroup[] {
  let left = most;
  return groups.map(({ environment, users }) => {
    const kept = users.slice(0, left);
    left -= kept.length;
    return { environment, users: kept };
  });
}

/** SDKs ignore the case of a tier. */
function isSame(tier: string | null, environment: string): boolean {
  return tier?.toLowerCase() === environment.toLowerCase();
}

function toUser({ userID, customIDs, fields }: RecentUser, tier: string): User {
  return {
    ...(userID !== "" && { userID }),
    ...(Object.keys(customIDs).length > 0 && { customIDs }),
    ...fields,
    statsigEnvironment: { tier },
  };
}
