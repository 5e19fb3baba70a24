import type { Permission } from "@gatehouse/contract";
import { normalizeEmail } from "../../common/email.ts";
import { forbidden } from "../../common/errors.ts";
import { words } from "../../common/words.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { Kind } from "./kind.ts";
import { findOwner } from "./owner.ts";
import type { StoreDeps } from "./store-deps.ts";

/** The fields that name an entity's team, by name and by id. Undefined where it cannot have one. */
export type WithTeam = Versioned & {
  team?: string | null;
  teamID?: string | null;
  /** Whether it changes entities of every team, as a global holdout does. */
  isGlobal?: boolean;
};

type Team = { name: string; changeTeamConfigs: "anyone" | "team_only"; members: { email: string }[]; admins: { email: string }[] };

/** Callers who may change teams could make a team open to anyone, so they needn't be members. */
const INSTEAD_OF_MEMBERSHIP: Permission = "create_teams";

/**
 * Only members may change a `team_only` team's entities, including entities that join or leave the team with the change, and global parts.
 * Overrides belong to the team of their entity.
 * @throws AppError forbidden, naming the team
 */
export async function requireTeamMember<E extends Versioned>(
  deps: StoreDeps,
  { type, scope }: Kind<E>,
  { id, name, states }: { id: string; name: string; states: WithTeam[] },
): Promise<void> {
  const { permissions, actor } = deps.by;
  if (permissions.has(INSTEAD_OF_MEMBERSHIP)) return;
  const owner = scope?.ownerType === undefined ? null : await findOwner<WithTeam>(deps, scope.ownerType, id);
  const all = owner ? [...states, owner] : states;
  const teams = all.some(({ isGlobal }) => isGlobal) ? await findClosedTeams(deps) : await findTeams(deps, all);
  // Keys have no email address.
  const { email } = actor;
  const closed = teams.find((team) => team.changeTeamConfigs === "team_only" && !isMember(team, email));
  if (!closed) return;
  throw forbidden(`membership of the team ${closed.name} or the permission ${INSTEAD_OF_MEMBERSHIP} to write ${words(type)} ${name}`);
}

/**
 * Callers who can sign in as a person can change the entities of the person's teams.
 * @throws AppError forbidden, naming a `team_only` team that has the person and not the caller as a member
 */
export async function requireTeams({ db, projectID, by }: StoreDeps, email: string): Promise<void> {
  if (by.permissions.has(INSTEAD_OF_MEMBERSHIP)) return;
  const teams = await findClosedTeams({ db, projectID });
  const closed = teams.find((team) => isMember(team, email) && !isMember(team, by.actor.email));
  if (!closed) return;
  throw forbidden(`membership of the team ${closed.name} or the permission ${INSTEAD_OF_MEMBERSHIP} to invite ${email}, who is in it`);
}

async function findClosedTeams({ db, projectID }: Pick<StoreDeps, "db" | "projectID">): Promise<Team[]> {
  const rows = await db.$queryRaw<{ entity: string }[]>`
    select entity from team where "projectID" = ${projectID} and strpos(entity, '"changeTeamConfigs":"team_only"') > 0 order by id`;
  return rows.map(({ entity }) => JSON.parse(entity));
}

/** The teams that entities name. Asks the database only if they name one. */
async function findTeams({ db, projectID }: StoreDeps, entities: WithTeam[]): Promise<Team[]> {
  const names = given(entities.map(({ team }) => team));
  const ids = given(entities.map(({ teamID }) => teamID));
  if (names.length + ids.length === 0) return [];
  const rows = await db.$queryRaw<{ entity: string }[]>`
    select entity from team where "projectID" = ${projectID} and (id = any(${ids}::text[]) or name = any(${names}::text[])) order by id`;
  return rows.map(({ entity }) => JSON.parse(entity));
}

function given(names: (string | null | undefined)[]): string[] {
  return [...new Set(names)].flatMap((one) => (one ? [one] : []));
}

function isMember({ members, admins }: Team, email: string | null): boolean {
  return email !== null && [...members, ...admins].some((user) => normalizeEmail(user.email) === normalizeEmail(email));
}
