import { type Context, INSTANCE_PROJECT } from "../../common/context.ts";
import type { EmailContent } from "../../common/email-content.ts";
import { forbidden, notFound } from "../../common/errors.ts";
import { requireToGive } from "../../common/permissions.ts";
import { recordAuditEvent } from "../../store/change-log/audit-event.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import { queueEmails } from "../../store/emails/outbox.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import { requireTeams } from "../../store/entities/team-only.ts";
import { requireReach } from "../../store/entities/write-reach.ts";
import { endSessions } from "../../tokens/person-sessions-store.ts";
import { deleteSecondFactors } from "../../tokens/second-factor-store.ts";
import { createToken, deleteInvitations, deleteTokens, type Purpose, TOKEN_HOURS } from "../../tokens/token-store.ts";
import { welcomeLink } from "../../tokens/welcome-link.ts";
import { rightsOf } from "../roles/role.ts";
import { createRoleStore } from "../roles/role-store.ts";
import type { Person } from "./person.ts";
import { personKind } from "./person-store.ts";
import { invitationEmail, passwordResetEmail } from "./token-email.ts";

type Subject = Pick<Person, "id" | "email">;
type Rights = { isAdministrator: boolean; role: string | null; isElsewhere: boolean };

/** A one-time token as the response shows it, this once. `isEmailed` says whether the server sends the link to the person. */
export type IssuedSecret = { token: string; expiresAt: number; isEmailed: boolean };

/**
 * Creates a one-time token that signs the caller in as the person, and emails its link to the person if the server sends email. An invitation
 * replaces earlier ones to the project, and a password reset all tokens of the person. Only this function creates tokens of people in `console/`.
 * @returns null if the person may do more than the caller outside the project of the request
 * @throws AppError forbidden, naming the caller's missing permissions in the project of the request
 */
export async function issueToken(
  deps: StoreDeps,
  purpose: Exclude<Purpose, "administrator">,
  person: Subject,
): Promise<IssuedSecret | null> {
  if (!(await mayActAs(deps, person))) return null;
  const projectID = purpose === "invitation" ? deps.projectID : null;
  if (projectID === null) deleteTokens(deps.db, person.id);
  else deleteInvitations(deps.db, projectID, person.id);
  const { id, secret, endsTime } = createToken(deps.db, purpose, person.id, deps.by.now, {
    projectID,
    isByAdministrator: deps.by.administersInstance,
  });
  const email = { kind: purpose, personID: person.id, tokenID: id };
  const isEmailed =
    deps.db.emails !== undefined &&
    (await queueEmails(deps.db, projectID ?? INSTANCE_PROJECT, [{ ...email, content: await write(deps, purpose, secret) }], deps.by.now));
  return { token: secret, expiresAt: endsTime, isEmailed };
}

/** The email with the link of a token. */
async function write({ db, projectID, by }: StoreDeps, purpose: Exclude<Purpose, "administrator">, token: string): Promise<EmailContent> {
  const link = { path: welcomeLink("", token), hours: TOKEN_HOURS };
  if (purpose === "password_reset") return passwordResetEmail(link, false);
  const [project] = await db.$queryRaw<{ name: string }[]>`select name from project where id = ${projectID}`;
  return invitationEmail(link, { project: project?.name ?? projectID, inviter: by.actor.email === null ? null : by.actor.name });
}

/**
 * For access to data that belongs to the person and to no project, such as their sessions.
 * @throws AppError not_found for a person outside the project of the request; forbidden
 */
export async function requireActingAs(deps: StoreDeps, person: Subject): Promise<void> {
  if (deps.by.administersInstance) return;
  const { role } = await readRights(deps, person.id);
  if (role === null) throw notFound("Person", person.id);
  if (!(await mayActAs(deps, person))) throw forbidden("the session of a server administrator");
}

/** The same for writes. Also checks the limits of the caller's key. */
export async function requireWritingAs(deps: StoreDeps, person: Person): Promise<void> {
  await requireActingAs(deps, person);
  const write = { id: person.id, name: person.email, before: person, after: person };
  if (deps.by.limits) await requireReach(deps, personKind, write, deps.by.limits);
}

/** Removes a person's second factors, ends their sessions and one-time links, and notes this in the audit log of the instance. */
export async function removeSecondFactors(db: Db, { id, email }: Subject, by: Context): Promise<void> {
  deleteTokens(db, id);
  await deleteSecondFactors(db, id);
  await endSessions(db, id);
  const { actor, operationID, now, origin } = by;
  const event = { projectID: INSTANCE_PROJECT, actor, operationID, now, ...(origin && { origin }) };
  const reason = `Removed the second factors of ${email}, and ended their sessions and one-time links.`;
  await recordAuditEvent(db, { ...event, entityType: "session", entityID: id, reason });
}

/** Outside the project of the request, only callers who administer the instance may do anything. */
async function mayActAs(deps: StoreDeps, { id, email }: Subject): Promise<boolean> {
  if (deps.by.administersInstance) return true;
  const { isAdministrator, role: name, isElsewhere } = await readRights(deps, id);
  const role = name === null ? undefined : await createRoleStore(deps).find(name);
  if (role) requireToGive(deps.by, rightsOf(role));
  await requireTeams(deps, email);
  return !isAdministrator && !isElsewhere;
}

/** A person's rights: their role in the project of the request, and whether they have rights beyond it. */
async function readRights({ db, projectID }: StoreDeps, id: string): Promise<Rights> {
  const [rights] = await db.$queryRaw<Rights[]>`
    select "isAdministrator", (select role from member where member."projectID" = ${projectID} and member.id = person.id) as role,
      exists (
        select 1 from member join project on project.id = member."projectID" and project."deletedTime" is null
        where member.id = person.id and member."projectID" <> ${projectID}
      ) as "isElsewhere"
    from person where "projectID" = ${INSTANCE_PROJECT} and id = ${id}`;
  if (!rights) throw new Error(`Person ${id} does not exist.`);
  return rights;
}
