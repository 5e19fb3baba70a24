import { AppError, conflict } from "../../common/errors.ts";
import { requirePermissions } from "../../common/permissions.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { fromText } from "../../store/change-log/entity-text.ts";
import { lock } from "../../store/database/locks.ts";
import { entityStore } from "../../store/entities/entity-store.ts";
import { filters } from "../../store/entities/filters.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { requireUnlimited } from "../../store/entities/write-reach.ts";
import type { Window } from "../common/page.ts";
import { NOWHERE } from "../common/parts-elsewhere.ts";
import type { EnvironmentSet } from "../environments/environment-set.ts";
import { entityKey } from "../scheduled-changes/scheduled-change.ts";
import type { Settings } from "../settings/settings.ts";
import type { EntityKind } from "../slice.ts";
import { ANYONE, keysOfPerson, waitingFor } from "./requirement.ts";
import { isOpen, type Review } from "./review.ts";

/** The most open reviews of a project. */
const MAX_OPEN = 1_000;

type Filter = {
  status?: string;
  open?: boolean;
  needsMe?: boolean;
  entityType?: string;
  entityID?: string;
  authorID?: string;
  reviewerID?: string;
};

type Rules = { environments: EnvironmentSet | null; settings: Settings | null; rulesetTime: number };

export const reviewKind: EntityKind<"review", Review> = {
  table: "review",
  type: "review",
  getID: (review) => review.id,
  references: null,
  columns: {
    status: ({ status }) => status,
    isOpen,
    endedTime: { unlisted: ({ endedTime }) => endedTime },
    authorID: ({ author }) => author.id,
    reviewerIDs: ({ approvals }) => [...new Set(approvals.map(({ reviewer }) => reviewer.id))],
    approverIDs: ({ approvals, revision }) => approvals.filter((one) => one.revision === revision).map(({ reviewer }) => reviewer.id),
    waitingFor: (review) => (isOpen(review) ? waitingFor(review.requirements) : []),
    entityTypes: ({ entities }) => [...new Set(entities.map(({ entityType }) => entityType))],
    entityKeys: ({ entities }) => entities.map(entityKey),
  },
  listing: null,
  named: null,
  ruleset: null,
  needs: null,
  reach: NOWHERE,
};

export function createReviewStore(deps: StoreDeps) {
  const store = entityStore(deps, reviewKind);
  const { db, projectID, by } = deps;
  return {
    ...store,

    /** The latest first. @param teams the keys of the caller's teams, for `needsMe` */
    list({ status, open, needsMe, entityType, entityID, authorID, reviewerID }: Filter, teams: readonly string[], window: Window) {
      const conditions = [
        ...filters.equal({ status, isOpen: open, authorID }),
        ...filters.holding({
          entityTypes: entityType,
          entityKeys: entityType === undefined || entityID === undefined ? undefined : entityKey({ entityType, entityID }),
          reviewerIDs: reviewerID,
        }),
        ...(needsMe === undefined ? [] : [needing(needsMe, teams)]),
      ];
      return store.listWhere(conditions, { ...window, sort: "createdTime", order: "desc" });
    },

    /** The settings that ask for reviews in the project, and when its ruleset last changed, ms, without the writes of the transaction. */
    async rules(): Promise<Rules> {
      const rows = await db.$queryRaw<{ environments: string | null; settings: string | null; rulesetTime: bigint }[]>`
        select "rulesetTime",
          (select entity from environment_set where "projectID" = project.id and not "ignoresReviews") as environments,
          (select entity from settings where "projectID" = project.id) as settings
        from project where id = ${projectID}`;
      const { environments = null, settings = null, rulesetTime = 0 } = rows[0] ?? {};
      return {
        rulesetTime: Number(rulesetTime),
        environments: environments === null ? null : fromText<EnvironmentSet>(environments),
        settings: settings === null ? null : fromText<Settings>(settings),
      };
    },

    /** @throws AppError conflict if the project has too many open reviews */
    async create(review: Review): Promise<Review> {
      await lock(db, `reviews of ${projectID}`);
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from review where "projectID" = ${projectID} and "isOpen"`;
      if ((row?.count ?? 0) >= MAX_OPEN)
        throw conflict(`The project already has ${MAX_OPEN.toLocaleString("en")} open reviews. Commit or cancel one first.`);
      return store.create(review);
    },

    /** @throws AppError forbidden unless the caller may decide about the review, as far as permissions say */
    requireDecider({ id, author, approvers }: Review): void {
      if (author.id === by.actor.id && !by.permissions.has("self_approve_review"))
        throw new AppError("forbidden", `Review ${id} is your own, and you lack the permission self_approve_review. ${approvers}`);
    },

    /** @throws AppError forbidden unless the caller may cancel the review */
    requireCanceler({ author }: Review): void {
      if (author.id !== by.actor.id) requirePermissions(by, ["approve_reviews"]);
    },

    /** @throws AppError forbidden if a limited key changes one of another author */
    async replace(before: Review, after: Review): Promise<Review> {
      if (before.author.id !== by.actor.id) requireUnlimited(`review ${before.id}`, by.limits);
      return store.replace(before, after);
    },
  };

  /** The reviews that the caller can approve, and has not approved yet. */
  function needing(isNeeding: boolean, teams: readonly string[]): Prisma.Sql {
    const keys = by.permissions.has("approve_reviews") ? [ANYONE, ...keysOfPerson(by.actor), ...teams] : [];
    const isOwn = by.permissions.has("self_approve_review") ? Prisma.sql`false` : Prisma.sql`"authorID" = ${by.actor.id}`;
    const needs = Prisma.sql`(status = 'PENDING' and "waitingFor" && ${keys}::text[] and not ${isOwn} and not "approverIDs" @> ${[by.actor.id]}::text[])`;
    return isNeeding ? needs : Prisma.sql`not ${needs}`;
  }
}

/** Deletes reviews that ended before a time, ms. */
export async function deleteEndedReviews({ db }: Pick<StoreDeps, "db">, before: number): Promise<void> {
  await db.$executeRaw`delete from review where "endedTime" < ${before}`;
}
