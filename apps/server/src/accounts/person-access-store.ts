import { INSTANCE_PROJECT } from "../common/context.ts";
import type { Person } from "../console/people/person.ts";
import { fromText } from "../store/change-log/entity-text.ts";
import type { Db } from "../store/database/unit-of-work.ts";
import { type Membership, ONLY_IN, type Session } from "./session-store.ts";

type Row = Pick<Membership, "id" | "name" | "role" | "rolePermissions" | "rolePublishesIn"> & { person: string };

/** An active person with their role in one project, without a session. Undefined if they cannot access the project. */
export async function findAccess(db: Db, personID: string, projectID: string): Promise<Pick<Session, "person" | "projects"> | undefined> {
  const rows = await db.$queryRaw<Row[]>`
    select person.entity as person, project.id, project.name, member.role, role.permissions as "rolePermissions",
      ${ONLY_IN} as "rolePublishesIn"
    from person
    join project on project.id = ${projectID} and project."deletedTime" is null
    left join member on member."projectID" = project.id and member.id = person.id
    left join role on role."projectID" = project.id and role.id = member.role
    where person."projectID" = ${INSTANCE_PROJECT} and person.id = ${personID} and person."isActive"
      and (member.id is not null or person."isAdministrator")`;
  if (!rows[0]) return undefined;
  const { person, ...project } = rows[0];
  return { person: fromText<Person>(person), projects: [{ ...project, lastSeq: 0, isSample: false }] };
}
