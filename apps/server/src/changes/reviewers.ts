import { credentialsOfPerson } from "../accounts/account.ts";
import { findAccess } from "../accounts/person-access-store.ts";
import type { PermittedContext } from "../common/context.ts";
import { normalizeEmail } from "../common/email.ts";
import { invalid, type Violation } from "../common/errors.ts";
import { approversOf, canMeet, type Requirement, type Team } from "../console/reviews/requirement.ts";
import type { Review } from "../console/reviews/review.ts";
import { createStores } from "../console/stores.ts";
import { createChangeLog } from "../store/change-log/change-log.ts";
import type { Db } from "../store/database/unit-of-work.ts";

type Work = { db: Db; context: PermittedContext };
type Reviewer = Review["author"];

/**
 * The people whom the author of a review asks to do it, each once.
 * @param names ids and email addresses
 * @throws AppError invalid_request for everyone who cannot access the project, or cannot approve what the review requires
 */
export async function findReviewers(work: Work, names: readonly string[], requirements: readonly Requirement[]): Promise<Reviewer[]> {
  if (names.length === 0) return [];
  const { teams } = createStores({ ...work, log: createChangeLog(work.db, work.context) });
  const named = await teams.findNamed(requirements.flatMap(({ team }) => (team ? [team.id] : [])));
  const found = new Map<string, Reviewer>();
  const violations: Violation[] = [];
  for (const [index, name] of names.entries()) {
    const one = await findReviewer(work, name, { requirements, teams: named });
    if (typeof one === "string") violations.push({ property: `reviewers[${index}]`, errorMessage: one });
    else found.set(one.id, one);
  }
  if (violations.length > 0) throw invalid(violations);
  return [...found.values()];
}

type Required = { requirements: readonly Requirement[]; teams: readonly Team[] };

/** The person, or why they cannot review the change. */
async function findReviewer({ db, context }: Work, name: string, { requirements, teams }: Required): Promise<Reviewer | string> {
  const { people } = createStores({ db, context, log: createChangeLog(db, context) });
  const named = name.includes("@") ? await people.findByEmail(normalizeEmail(name)) : { id: name };
  const access = named && (await findAccess(db, named.id, context.projectID));
  if (!access) return `names ${name}, who cannot access the project`;
  const { actor, permissions, publishing } = credentialsOfPerson(access, context.projectID);
  const { id, name: fullName, email } = actor;
  if (!permissions.has("approve_reviews")) return `names ${email}, who lacks the permission approve_reviews`;
  if (id === context.actor.id && !permissions.has("self_approve_review"))
    return `names ${email}, who made the change and lacks the permission self_approve_review`;
  const ofSettings = requirements.filter(({ kind }) => kind !== "AUTHOR");
  if (ofSettings.length > 0 && !ofSettings.some((one) => canMeet(one, { actor, publishing }, teams)))
    return `names ${email}, who cannot approve this change. ${approversOf(ofSettings)}`;
  return { id, name: fullName, email };
}
