import type { Schema } from "@gatehouse/contract/console";
import type { Actor, Publishing } from "../../common/context.ts";
import { publishesIn } from "../../common/permissions.ts";
import { listed } from "../../common/words.ts";

/** Something that asks for a review. */
export type Requirement = Schema<"ReviewRequirement">;

/** The requirement of a request with `requestReview`. */
export const ASKED_BY_AUTHOR: Requirement = { kind: "AUTHOR", name: "requestReview", team: null, people: null, isMet: false };

/** What the author of a change lacks, and who approves the change has: the right to publish in an environment. */
export function toPublishIn(environment: string): Requirement {
  return { kind: "PUBLISH", name: environment, team: null, people: null, isMet: false };
}

/** The members and admins of a team. */
export type Team = Pick<Schema<"Team">, "id" | "members" | "admins">;

type Reviewer = { actor: Actor; publishing: Publishing | null };

/** Whether a person can meet the requirement. @param teams those that requirements name */
export function canMeet({ kind, name, team, people }: Requirement, reviewer: Reviewer, teams: readonly Team[]): boolean {
  const { id, email } = reviewer.actor;
  if (kind === "PUBLISH") return publishesIn(reviewer, name);
  if (people && !people.some((one) => one.id === id || isSame(one.email, email))) return false;
  if (!team) return true;
  const found = teams.find((one) => one.id === team.id);
  if (!found || email === null) return false;
  const allowed = team.adminsOnly ? found.admins : [...found.members, ...found.admins];
  return allowed.some((one) => isSame(one.email, email));
}

function isSame(one: string | null, other: string | null): boolean {
  return one !== null && other !== null && one.toLowerCase() === other.toLowerCase();
}

/** Stands for everyone with the permission to approve. */
export const ANYONE = "*";

type Waiting = Pick<Schema<"Review">, "requirements" | "reviewers" | "approvals" | "revision">;

/**
 * The people that an open review waits for, as keys in its row: those that its author asked, until they approve it, and otherwise everyone who
 * can meet one of its open requirements.
 */
export function waitingFor({ requirements, reviewers = [], approvals, revision }: Waiting): string[] {
  const approved = new Set(approvals.filter((one) => one.revision === revision).map(({ reviewer }) => reviewer.id));
  const asked = reviewers.filter(({ id }) => !approved.has(id));
  if (asked.length > 0) return asked.flatMap(keysOfPerson);
  const names = requirements
    .filter(({ isMet }) => !isMet)
    .flatMap(({ kind, name, team, people }) => {
      if (kind === "PUBLISH") return [PUBLISHES_EVERYWHERE, keyOfPublisher(name)];
      if (people) return people.flatMap(({ id, email }) => keysOfPerson({ id, email }));
      if (!team) return [ANYONE];
      return team.adminsOnly ? [`admins ${team.id}`] : [`admins ${team.id}`, `members ${team.id}`];
    });
  return [...new Set(names)];
}

const PUBLISHES_EVERYWHERE = "publishes everywhere";
const keyOfPublisher = (environment: string) => `publishes in ${environment.toLowerCase()}`;

/** The names under which rows list those who publish where a caller does. */
export function keysOfPublisher(publishing: Publishing | null): string[] {
  return publishing === null ? [PUBLISHES_EVERYWHERE] : publishing.environments.map(keyOfPublisher);
}

/** The names under which rows list a person. */
export function keysOfPerson({ id, email }: Pick<Actor, "id" | "email">): string[] {
  return [`person ${id}`, ...(email === null ? [] : [`person ${email.toLowerCase()}`])];
}

/** A sentence that says whose approval is still missing. */
export function approversOf(requirements: readonly Requirement[]): string {
  const unmet = requirements.filter(({ isMet }) => !isMet);
  if (unmet.length === 0) return "Every requirement has an approval.";
  const unpublished = unmet.filter(({ kind }) => kind === "PUBLISH").map(({ name }) => name);
  const publisher = unpublished.length === 0 ? [] : [`someone who publishes in ${listed(unpublished)}`];
  const restricted = [...new Set([...unmet.flatMap((one) => describe(one) ?? []), ...publisher])];
  if (restricted.length === 0)
    return "Anyone with the permission approve_reviews can approve it. Its author also needs self_approve_review.";
  return `It needs the approval of ${restricted.join(", and of ")}.`;
}

/** Undefined if everyone with the permission can meet the requirement. */
function describe({ team, people }: Requirement): string | undefined {
  const group = team && (team.adminsOnly ? `an admin of the team ${team.name}` : `a member of the team ${team.name}`);
  if (!people) return group ?? undefined;
  const named = listed(
    people.map(({ name, email }) => email ?? name),
    "or",
  );
  return group ? `${named}, as ${group}` : named;
}
