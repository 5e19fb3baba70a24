import type { User } from "@gatehouse/evaluation";
import pLimit from "p-limit";
import type { KeyScope } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { Previews } from "../../previews.ts";
import type { Database } from "../../store/database.ts";
import { reading } from "../../store/unit-of-work.ts";
import type { EvaluatedProject } from "../compile/evaluated-project.ts";
import { type RecentUser, recentUsers } from "../events/recent-users-store.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import { changedFlags, type Flag } from "./changed-flags.ts";
import { evaluateUsers } from "./evaluate-users.ts";
import { impactOn, type Sample } from "./impact.ts";
import { type Proposal, readProposal } from "./proposal.ts";

/** Of server keys without limits. */
const EVERYTHING: KeyScope = { type: "SERVER", environments: [], targetApps: [] };
/** The most evaluations of one impact: users times flags. */
const MAX_EVALUATIONS = 1_000_000;
/** The impacts that wait for the one that is computed. */
const MAX_WAITING = 10;

export function createPreviews(rulesets: Rulesets, database: Database): Previews {
  const oneAtATime = pLimit(1);
  return {
    async evaluate(projectID, request) {
      const { project, view } = await rulesets.current(projectID, EVERYTHING);
      return evaluateUsers(request, project, view.evaluator);
    },

    async propose(db, projectID, entries) {
      const proposal = await readProposal(db, projectID, entries);
      return async (users) => {
        if (proposal.states.length === 0) return [];
        if (oneAtATime.pendingCount >= MAX_WAITING) throw tooMany();
        return oneAtATime(() => impactOf(projectID, proposal, users));
      };
    },
  };

  async function impactOf(projectID: string, proposal: Proposal, most: number) {
    const { project, before, after } = await rulesets.whatIf(projectID, EVERYTHING, proposal);
    const lists = new Set(proposal.lists.map(({ id }) => id));
    const flags = changedFlags(before.ruleset, after.ruleset, lists);
    const users = Math.min(most, Math.floor(MAX_EVALUATIONS / Math.max(1, flags.length)));
    const exposed = [...new Set(flags.flatMap((flag) => exposedFor(flag, project)))];
    const seen = users === 0 ? [] : await reading(database, (db) => recentUsers(db, projectID, exposed, users));
    return impactOn(samplesOf(seen, project, before.ruleset.defaultEnvironment), flags, before.evaluator, after.evaluator);
  }
}

/** The ids that exposures of a flag have. A layer is exposed as the experiment that gave its values. */
function exposedFor({ type, name }: Flag, { experiments }: EvaluatedProject): string[] {
  if (type !== "layer") return [name];
  return [...experiments.values()].filter(({ layerID }) => layerID === name).map(({ id }) => id);
}

/** The users of each environment of the project, in its order. */
function samplesOf(seen: RecentUser[], { environments }: EvaluatedProject, defaultEnvironment: string | null): Sample[] {
  return environments.environments.map(({ name }) => {
    const isHere = ({ environment }: RecentUser) => (environment || defaultEnvironment)?.toLowerCase() === name.toLowerCase();
    return { environment: name, users: seen.filter(isHere).map((user) => toUser(user, name)) };
  });
}

function toUser({ userID, customIDs, fields }: RecentUser, tier: string): User {
  return {
    ...(userID !== "" && { userID }),
    ...(Object.keys(customIDs).length > 0 && { customIDs }),
    ...fields,
    statsigEnvironment: { tier },
  };
}

function tooMany(): AppError {
  return new AppError(
    "too_many_requests",
    "Too many requests ask for the impact of a change at once. Try again after Retry-After seconds.",
  );
}
