import type { Schema } from "@gatehouse/contract/console";
import type { Credentials, Principal } from "../common/context.ts";
import { EVERY_PERMISSION, PERMISSIONS } from "../common/permissions.ts";
import { type Person, toActor } from "../console/people/person.ts";
import { ADMIN, builtInRole, permittedBy } from "../console/roles/role.ts";
import type { SecondFactorSettings } from "./account-env.ts";
import type { Membership, Session } from "./session-store.ts";

/** A person's permissions in a project. Server administrators have all permissions. */
function principalIn({ role, rolePermissions, rolePublishesIn }: Membership, isAdministrator: boolean): Principal {
  const unlimited = { limits: null, publishing: null, administersInstance: isAdministrator };
  if (isAdministrator) return { permissions: EVERY_PERMISSION, grantedBy: `the role ${ADMIN}`, ...unlimited };
  const own = role === null ? undefined : builtInRole(role);
  const grantedBy = `the role ${role}`;
  const publishing = rolePublishesIn && { environments: rolePublishesIn, grantedBy };
  return { ...unlimited, permissions: new Set(own ? permittedBy(own) : (rolePermissions ?? [])), grantedBy, publishing };
}

/**
 * The credentials of a person in a project: of `projectID`, or else their default. Without a role there they have no permissions, whether
 * the project exists or not.
 */
export function credentialsOfPerson(
  { person, projects }: Pick<Session, "person" | "projects">,
  projectID: string | undefined,
): Credentials {
  const project = projects.find(({ id }) => id === (projectID ?? defaultProject(person, projects)));
  const reach = { scope: { type: "CONSOLE" as const, environments: [], targetApps: [] }, scopes: [] };
  const actor = toActor(person);
  if (project) return { actor, projectID: project.id, ...reach, ...principalIn(project, person.isAdministrator) };
  const grantedBy = projectID === undefined ? "a role in any project" : `a role in the project ${projectID}`;
  return {
    actor,
    projectID: "",
    ...reach,
    permissions: new Set(),
    grantedBy,
    limits: null,
    publishing: null,
    administersInstance: person.isAdministrator,
  };
}

/** Whether the session can only set up a second factor. Single sign-on is exempt. */
export function mustSetUpSecondFactor(
  { hasSecondFactor, isSingleSignOn }: Session,
  { isRequired }: Pick<SecondFactorSettings, "isRequired">,
): boolean {
  return isRequired && !hasSecondFactor && !isSingleSignOn;
}

/** The account of a person as responses show it. */
export function toAccount(session: Session, settings: Pick<SecondFactorSettings, "isRequired">): Schema<"Account"> {
  const { id: sessionID, endsTime, person, projects } = session;
  const { id, email, firstName, lastName, isAdministrator } = person;
  return {
    person: { id, email, firstName, lastName, isAdministrator },
    sessionID,
    endsTime,
    mustSetUpSecondFactor: mustSetUpSecondFactor(session, settings),
    projects: projects.map((project) => {
      const { permissions, publishing } = principalIn(project, isAdministrator);
      const granted = Object.fromEntries(PERMISSIONS.map((one) => [one, permissions.has(one)]));
      const { id, name, role, lastSeq, isSample } = project;
      const publishesIn = publishing && [...publishing.environments];
      return { id, name, role: role ?? ADMIN, permissions: granted, publishesIn, lastSeq, isSample };
    }),
    defaultProjectID: defaultProject(person, projects) ?? null,
  };
}

/** The one that the person chose, as long as it is theirs; otherwise their oldest. */
function defaultProject({ defaultProjectID }: Person, projects: Membership[]): string | undefined {
  return (projects.find(({ id }) => id === defaultProjectID) ?? projects[0])?.id;
}
