import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { normalizeEmail } from "../../common/email.ts";
import { randomID } from "../../common/identifier.ts";
import { namedEach, namedMetrics, namedOne } from "../common/named.ts";
import { created, modified } from "../common/stamp.ts";
import type { Reference } from "../reference.ts";

export type Team = Schema<"Team">;
type TeamUser = Schema<"TeamUser">;
type TeamCreate = WritableSchema<"TeamCreate">;
type TeamPatch = WritableSchema<"TeamPatch">;

const DEFAULTS = {
  description: "",
  defaultGateMetrics: [],
  defaultExperimentPrimaryMetrics: [],
  defaultExperimentSecondaryMetrics: [],
  defaultHoldoutMetrics: [],
  changeTeamConfigs: "anyone",
  reviewApproval: "anyone",
  defaultTargetApplications: [],
  defaultHoldoutID: null,
  requireReviews: null,
  requireGateTemplates: null,
  requireExperimentTemplates: null,
  requireDynamicConfigTemplates: null,
} satisfies Partial<Team>;

/** Creates a team. By default anyone may change its entities and approve its reviews. */
export function newTeam({ members = [], admins = [], ...given }: TeamCreate, context: Context): Team {
  return {
    id: randomID(),
    ...DEFAULTS,
    ...created(context),
    ...given,
    members: members.map((email) => toUser(email, "member")),
    admins: admins.map((email) => toUser(email, "admin")),
  };
}

/** The team with the given fields changed. */
export function changeTeam(team: Team, { members, admins, ...given }: TeamPatch, context: Context): Team {
  return {
    ...team,
    ...given,
    ...(members && { members: members.map((email) => toUser(email, "member")) }),
    ...(admins && { admins: admins.map((email) => toUser(email, "admin")) }),
    ...modified(team, context),
  };
}

/** The team with further members. Existing members and admins keep their role. */
export function withTeamMembers(team: Team, emails: string[], context: Context): Team {
  const known = new Set([...team.members, ...team.admins].map(({ email }) => normalizeEmail(email)));
  const added = emails.filter((email) => !known.has(email)).map((email) => toUser(email, "member"));
  return { ...team, members: [...team.members, ...added], ...modified(team, context) };
}

const METRIC_LISTS = [
  "defaultGateMetrics",
  "defaultExperimentPrimaryMetrics",
  "defaultExperimentSecondaryMetrics",
  "defaultHoldoutMetrics",
] as const;

/** The team's references. */
export function namedByTeam(team: Team): Reference[] {
  const { defaultTargetApplications, defaultHoldoutID } = team;
  return [
    ...namedEach("target_app", defaultTargetApplications, "defaultTargetApplications"),
    ...namedOne("holdout", defaultHoldoutID, "defaultHoldoutID"),
    ...METRIC_LISTS.flatMap((list) => namedMetrics(team[list], list)),
  ];
}

function toUser(email: string, role: TeamUser["role"]): TeamUser {
  return { email, firstName: "", lastName: "", role };
}
