import { isDeepStrictEqual } from "node:util";
import type { KeyScope } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import { createFairLimit } from "../../common/fair-queue.ts";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import type { Previews, Sample } from "../../console/previews.ts";
import type { Entry } from "../../store/change-log/change-log.ts";
import type { Database } from "../../store/database/database.ts";
import { reading } from "../../store/database/unit-of-work.ts";
import { listTargetApps } from "../compile/evaluated-entities.ts";
import { type RecentUser, recentUsers } from "../events/recent-users-store.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import { changedFlags, type Flag } from "./changed-flags.ts";
import { evaluateUsers } from "./evaluate-users.ts";
import { impactOn } from "./impact.ts";
import { type Proposal, readProposal, statesOf } from "./proposal.ts";
import { groupGiven, groupSeen, takeFirst } from "./user-groups.ts";

/** The scope of server keys without limits. */
const EVERYTHING: KeyScope = { type: "SERVER", environments: [], targetApps: [] };
/** The most evaluations of one impact: users times flags. */
const MAX_EVALUATIONS = 1_000_000;
/** One impact is computed at a time. */
const BOUNDS = { running: { each: 1, all: 1 }, waiting: { each: 5, all: 50 } };

export function createPreviews(rulesets: Rulesets, database: Database): Previews {
  const turns = createFairLimit(BOUNDS, tooMany);
  return {
    project: async (projectID) => (await rulesets.current(projectID, EVERYTHING)).project,

    async evaluate(projectID, request) {
      const { project, view } = await rulesets.current(projectID, EVERYTHING);
      return evaluateUsers(request, { project, evaluator: view.evaluator });
    },

    async refresh(projectID) {
      await rulesets.current(projectID, EVERYTHING);
    },

    loadedTime: (projectID) => rulesets.loadedTime(projectID),

    changesIn(projectID, changes, environments, as = "planned") {
      if (changes.some(movesToOtherApps)) return environments.map(() => true);
      const scopes = environments.map((name) => ({ ...EVERYTHING, environments: name === null ? [] : [name] }));
      return rulesets.compare(projectID, scopes, statesOf(changes, "before", as), statesOf(changes, "after", as));
    },

    async propose(db, projectID, entries) {
      const proposal = await readProposal(db, projectID, entries);
      return {
        async impact(sample) {
          if (proposal.states.length === 0) return [];
          return turns.run(projectID, () => computeImpact(projectID, proposal, sample));
        },
        async evaluate(request) {
          const { project, before, after } = await rulesets.whatIf(projectID, EVERYTHING, proposal);
          return evaluateUsers(request, { project, evaluator: before.evaluator, withDrafts: after.evaluator });
        },
      };
    },
  };

  async function computeImpact(projectID: string, proposal: Proposal, { most, users }: Sample) {
    const { project, before, after } = await rulesets.whatIf(projectID, EVERYTHING, proposal);
    const lists = new Set(proposal.lists.map(({ id }) => id));
    const changed = changedFlags(before.ruleset, after.ruleset, lists);
    const { flags } = changed;
    const limit = Math.floor(MAX_EVALUATIONS / Math.max(1, flags.length));
    const groups = users
      ? groupGiven(users, project)
      : groupSeen(await recently(projectID, exposedFor(flags, project), Math.min(most, limit)), project, before.ruleset.defaultEnvironment);
    return impactOn(takeFirst(groups, limit), changed, before.evaluator, after.evaluator);
  }

  async function recently(projectID: string, exposed: string[], limit: number): Promise<RecentUser[]> {
    return limit === 0 ? [] : reading(database, (db) => recentUsers(db, projectID, exposed, limit));
  }
}

/** Whether keys of some target apps get an entity that they did not get before, or no longer get it. */
function movesToOtherApps({ before, after }: Entry): boolean {
  if (before === null || after === null) return false;
  const [was, is] = [before, after].map((state: object) => listTargetApps(state).toSorted());
  return !isDeepStrictEqual(was, is);
}

/** The ids that exposures of flags have. A layer is exposed as the experiment that gave its values. */
function exposedFor(flags: Flag[], { experiments }: EvaluatedProject): string[] {
  const layers = new Set(flags.flatMap(({ type, name }) => (type === "layer" ? [name] : [])));
  const onLayers = [...experiments.values()].filter(({ layerID }) => layers.has(layerID ?? ""));
  return [...new Set([...flags.map(({ name }) => name), ...onLayers.map(({ id }) => id)])];
}

function tooMany(): AppError {
  return new AppError(
    "too_many_requests",
    "Too many requests ask for the impact of a change at once. Try again after Retry-After seconds.",
  );
}
