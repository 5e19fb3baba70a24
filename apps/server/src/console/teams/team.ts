import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import type { Reference } from "../../reference.ts";
import { randomID } from "../common/identifier.ts";
import { namedEach, namedOne } from "../common/named.ts";
import { created } from "../common/stamp.ts";

/** A team as lists show it. */
export type Team = Schema<"Team">;
/** A team as it is kept, and answered when it is read alone. */
export type TeamWithMembers = Schema<"TeamWithMembers">;
type TeamUser = Schema<"TeamUser">;
type TeamCreate = WritableSchema<"TeamCreate">;

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

/** A team made from as little as a name: anyone may change what it owns and approve reviews of it. */
export function newTeam({ members = [], admins = [], ...given }: TeamCreate, context: Context): TeamWithMembers {
  return {
    id: randomID(),
    ...DEFAULTS,
    ...created(context),
    ...given,
    members: members.map((email) => toUser(email, "member")),
    admins: admins.map((email) => toUser(email, "admin")),
  };
}

/** What the team names. */
export function namedByTeam({ defaultTargetApplications, defaultHoldoutID }: TeamWithMembers): Reference[] {
  return [
    ...namedEach("target_app", defaultTargetApplications, "defaultTargetApplications"),
    ...namedOne("holdout", defaultHoldoutID, "defaultHoldoutID"),
  ];
}

/** The team as lists show it. */
export function withoutMembers({ members: _, admins: __, ...team }: TeamWithMembers): Team {
  return team;
}

function toUser(email: string, role: TeamUser["role"]): TeamUser {
  return { email, firstName: "", lastName: "", role };
}
