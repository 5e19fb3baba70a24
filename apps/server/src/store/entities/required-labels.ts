import { invalid, type Violation } from "../../common/errors.ts";
import { namesOwner, type WithOwner } from "../../common/owner.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import type { Kind } from "./kind.ts";
import type { StoreDeps } from "./store-deps.ts";
import type { WithTeam } from "./team-only.ts";

const TEAM = "because the project requires a team (require_teams_on_configs)";
const OWNER = "because the project requires an owner (require_owners_on_configs)";

/** @throws AppError invalid_request if a new entity lacks a team or an owner that the project's settings require */
export async function requireLabels<E extends Versioned>(kind: Kind<E>, entity: E, { creationSettings }: StoreDeps): Promise<void> {
  const { team, teamID }: WithTeam = entity;
  const lacksTeam = team !== undefined && !team && !teamID;
  const lacksOwner = canHaveOwner(kind) && !namesOwner(entity as WithOwner);
  if (!lacksTeam && !lacksOwner) return;
  const { requireTeams, requireOwners } = await creationSettings();
  const violations: Violation[] = [
    ...(lacksTeam && requireTeams ? [{ property: teamID === undefined ? "team" : "teamID", errorMessage: `is required ${TEAM}` }] : []),
    ...(lacksOwner && requireOwners ? [{ property: "owner", errorMessage: `is required ${OWNER}` }] : []),
  ];
  if (violations.length > 0) throw invalid(violations);
}

/** @throws AppError invalid_request if a change removes the owner, and the project's settings require one */
export async function requireKeptOwner<E extends Versioned>(
  kind: Kind<E>,
  { before, after }: { before: E; after: E },
  { creationSettings }: StoreDeps,
): Promise<void> {
  const isRemoved = canHaveOwner(kind) && namesOwner(before as WithOwner) && !namesOwner(after as WithOwner);
  if (!isRemoved || !(await creationSettings()).requireOwners) return;
  throw invalid([{ property: "owner", errorMessage: `cannot be removed ${OWNER}` }]);
}

/** Lists filter by the owner of every kind that has one. */
function canHaveOwner<E extends Versioned>({ columns }: Kind<E>): boolean {
  return Object.hasOwn(columns, "ownerID");
}
