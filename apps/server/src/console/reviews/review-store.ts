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
import { createSettingsStore } from "../settings/settings-store.ts";
import type { EntityKind } from "../slice.ts";
import { ANYONE, canMeet, keysOfPerson, keysOfPublisher, type Team, waitingFor } from "./requirement.ts";
import { isOpen, type Review } from "./review.ts";
import { awaitingValidation, requireValidated } from "./validation.ts";

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

export type Rules = { environments: EnvironmentSet | null; settings: Settings | null; rulesetTime: number };

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
    waitingFor: (review) => (isOpen(review) ? waitingFor(review) : []),
    entityTypes: ({ entities }) => [...new Set(entities.map(({ entityType }) => entityType))],
    entityKeys: ({ entities }) => entities.map(entityKey),
    validationDueTime: "elsewhere",
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

  /** Asks the webhook that validates changes, if the review has a revision that it has not been asked about. */
  async function askWebhook(id: string): Promise<void> {
    await db.$executeRaw`update review set "validationDueTime" = ${by.now} where "projectID" = ${projectID} and id = ${id}`;
  }
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

    /**
     * The settings that ask for reviews in the project, and when its ruleset last changed, ms. They are read with the next statement, or
     * alone when they are awaited.
     */
    rulesWithNext(): () => Promise<Rules> {
      const read = db.$readWithNext<{ environments: string | null; settings: string | null; rulesetTime: bigint }[]>(Prisma.sql`
        select "rulesetTime",
          (select entity from environment_set where "projectID" = project.id and not "ignoresReviews") as environments,
          (select entity from settings where "projectID" = project.id) as settings
        from project where id = ${projectID}`);
      return async () => {
        const [{ environments = null, settings = null, rulesetTime = 0 } = {}] = await read();
        return {
          rulesetTime: Number(rulesetTime),
          environments: environments === null ? null : fromText<EnvironmentSet>(environments),
          settings: settings === null ? null : fromText<Settings>(settings),
        };
      };
    },

    /** @throws AppError conflict if the project has too many open reviews */
    async create(review: Review): Promise<Review> {
      await lock(db, `reviews of ${projectID}`);
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from review where "projectID" = ${projectID} and "isOpen"`;
      if ((row?.count ?? 0) >= MAX_OPEN)
        throw conflict(`The project already has ${MAX_OPEN.toLocaleString("en")} open reviews. Commit or cancel one first.`);
      const written = await store.create(awaitingValidation(review, await createSettingsStore(deps).get(), by.now));
      if (written.validation) await askWebhook(written.id);
      return written;
    },

    /** @throws AppError forbidden unless the caller may decide about the review, as far as permissions say */
    requireDecider({ id, author, approvers }: Review): void {
      if (author.id === by.actor.id && !by.permissions.has("self_approve_review"))
        throw new AppError("forbidden", `Review ${id} is your own, and you lack the permission self_approve_review. ${approvers}`);
    },

    /** Which requirements of the review the caller can meet, in their order. @param named the teams that they name */
    metBy: ({ requirements }: Review, named: readonly Team[]): boolean[] => requirements.map((one) => canMeet(one, by, named)),

    /** @throws AppError forbidden unless the caller may cancel the review */
    requireCanceler({ author }: Review): void {
      if (author.id !== by.actor.id) requirePermissions(by, ["approve_reviews"]);
    },

    /** @throws AppError forbidden if a limited key changes one of another author */
    async replace(before: Review, after: Review): Promise<Review> {
      if (before.author.id !== by.actor.id) requireUnlimited(`review ${before.id}`, by.limits);
      if (after.revision === before.revision) return store.replace(before, after);
      const written = await store.replace(before, awaitingValidation(after, await createSettingsStore(deps).get(), by.now));
      if (written.validation) await askWebhook(written.id);
      return written;
    },

    /** @throws AppError conflict unless the webhook of the project has validated the review */
    async requireValidated(review: Review): Promise<void> {
      requireValidated(review, await createSettingsStore(deps).get(), by.now);
    },

    /** Has the webhook asked, if it was configured after the review was requested. @returns whether that was so */
    async askLate(review: Review): Promise<boolean> {
      const asked = awaitingValidation(review, await createSettingsStore(deps).get(), by.now);
      if (review.validation || !asked.validation) return false;
      await store.replace(review, { ...asked, version: review.version + 1 });
      await askWebhook(review.id);
      return true;
    },
  };

  /** The reviews that the caller can approve, and has not approved yet. */
  function needing(isNeeding: boolean, teams: readonly string[]): Prisma.Sql {
    const keys = by.permissions.has("approve_reviews")
      ? [ANYONE, ...keysOfPerson(by.actor), ...keysOfPublisher(by.publishing), ...teams]
      : [];
    const isOwn = by.permissions.has("self_approve_review") ? Prisma.sql`false` : Prisma.sql`"authorID" = ${by.actor.id}`;
    const needs = Prisma.sql`(status = 'PENDING' and "waitingFor" && ${keys}::text[] and not ${isOwn} and not "approverIDs" @> ${[by.actor.id]}::text[])`;
    return isNeeding ? needs : Prisma.sql`not ${needs}`;
  }
}

/** A review of any project whose webhook is to be asked. The URL is null if the webhook is gone. */
export type Unanswered = { projectID: string; id: string; url: string | null; review: Review };

/** Between two messages about one revision, ms. The time doubles with each of them, within these bounds. */
const MIN_PAUSE_MS = 10_000;
const MAX_PAUSE_MS = 5 * 60_000;

/**
 * Takes over the reviews whose webhook is to be asked now, on one replica. If the webhook does not get the message, it is asked again after a pause, until the
 * deadline.
 */
export async function claimUnanswered({ db }: Pick<StoreDeps, "db">, now: number): Promise<Unanswered[]> {
  const rows = await db.$queryRaw<{ projectID: string; id: string; entity: string; settings: string | null }[]>`
    update review as asked set "validationDueTime" = ${now}
      + greatest(${MIN_PAUSE_MS}, least(${MAX_PAUSE_MS}, ${now} - (entity::json ->> 'revisedTime')::bigint))
    where ("projectID", id) in (
      select "projectID", id from review where "validationDueTime" <= ${now} order by "validationDueTime" limit 50 for update skip locked
    ) returning "projectID", id, entity, (select entity from settings where settings."projectID" = asked."projectID") as settings`;
  return rows.map(({ projectID, id, entity, settings }) => {
    const url = settings === null ? null : fromText<Settings>(settings).change_validation_url;
    return { projectID, id, url: url ?? null, review: fromText<Review>(entity) };
  });
}

/** Asks the webhook of a review no more. @param revision that was sent */
export async function noteAnswered({ db }: Pick<StoreDeps, "db">, { projectID, id, review }: Unanswered): Promise<void> {
  await db.$executeRaw`
    update review set "validationDueTime" = null
    where "projectID" = ${projectID} and id = ${id} and (entity::json ->> 'revision')::int = ${review.revision}`;
}

/** Deletes reviews that ended before a time, ms. */
export async function deleteEndedReviews({ db }: Pick<StoreDeps, "db">, before: number): Promise<void> {
  await db.$executeRaw`delete from review where "endedTime" < ${before}`;
}
