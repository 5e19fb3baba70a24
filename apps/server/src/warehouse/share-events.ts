import pg from "pg";
import { isInClickHouse } from "../clickhouse/event-engine-store.ts";
import { Prisma } from "../generated/prisma/client.ts";
import type { Database } from "../store/database/database.ts";
import { listShared, makeSharedViews, sharedSchemaName, unshareProjects } from "../store/database/shared-events.ts";
import { type Db, writing } from "../store/database/unit-of-work.ts";
import { faultsOfLogin, listFaults } from "./shared-login.ts";

/** The events of a project cannot be shared with a login. */
export class NotShareable extends Error {}

/**
 * Lets a login of Postgres read the events of a project: creates its schema and views, or creates them again. Changes nothing if the login
 * can do anything else.
 * @throws NotShareable
 */
export async function shareEvents(database: Database, projectID: string, login: string): Promise<void> {
  await writing(database, async (db) => {
    await requireShareable(db, projectID, login);
    const schema = sharedSchemaName(projectID);
    const run = (statement: string) => db.$executeRaw(Prisma.raw(statement));
    await run(`create schema if not exists ${pg.escapeIdentifier(schema)}`);
    await run(`grant usage on schema ${pg.escapeIdentifier(schema)} to ${pg.escapeIdentifier(login)}`);
    const shared = (await listShared(db)).find((one) => one.projectID === projectID);
    if (!shared) throw new Error(`The schema ${schema} is missing.`);
    for (const statement of makeSharedViews(shared)) await run(statement);
    const faults = await db.$queryRaw<{ fault: string }[]>(Prisma.raw(faultsOfLogin(pg.escapeLiteral(login), projectID)));
    if (faults.length > 0)
      throw new NotShareable(
        `The login ${login} must be able to read the events of one project and nothing else, but it ${listFaults(faults.map(({ fault }) => fault))}.`,
      );
  });
}

/** Ends the sharing of a project's events with every login. @returns whether they were shared */
export async function unshareEvents(database: Database, projectID: string): Promise<boolean> {
  return writing(database, async (db) => {
    const isShared = (await listShared(db)).some((shared) => shared.projectID === projectID);
    await unshareProjects(db, [projectID]);
    return isShared;
  });
}

type Known = { canLogin: boolean | null; canConnect: boolean | null; user: string; mayCreate: boolean; owner: string | null };

/** Locks the project, so that sharings take turns and the project cannot be deleted. @throws NotShareable */
async function requireShareable(db: Db, projectID: string, login: string): Promise<void> {
  const projects = await db.$queryRaw<object[]>`
    select "id" from project where "id" = ${projectID} and "id" <> 'instance' and "deletedTime" is null for update`;
  if (projects.length === 0) throw new NotShareable(`The project ${projectID} does not exist.`);
  if (await isInClickHouse(db)) throw new NotShareable("The events of this instance are in ClickHouse. Its users are made there.");
  const [known] = await db.$queryRaw<[Known]>`
    select (select rolcanlogin from pg_roles where rolname = ${login}) as "canLogin",
      (select has_database_privilege(oid, current_database(), 'connect') from pg_roles where rolname = ${login}) as "canConnect",
      current_user::text as "user", has_database_privilege(current_database(), 'create') as "mayCreate",
      (select pg_get_userbyid(nspowner)::text from pg_namespace where nspname = ${sharedSchemaName(projectID)}) as "owner"`;
  const { canLogin, canConnect, user, mayCreate, owner } = known;
  if (!canLogin) throw new NotShareable(`Postgres has no login ${login}. Make it: create role ${login} login password '…'`);
  if (login === user) throw new NotShareable(`The login ${login} is the server's own.`);
  if (!canConnect) throw new NotShareable(`The login ${login} may not connect to the database of the server.`);
  if (owner === null && !mayCreate) throw new NotShareable(`The server's user ${user} may not create a schema in its database.`);
  if (owner !== null && owner !== user)
    throw new NotShareable(`The schema ${sharedSchemaName(projectID)} belongs to ${owner} instead of the server's user ${user}.`);
}
