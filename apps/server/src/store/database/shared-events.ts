import pg from "pg";
import { DAY_MS } from "../../common/utc-day.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { storable } from "../../results/sql/dialect.ts";
import type { Session } from "./database.ts";
import type { Db } from "./db.ts";

// A project's own events, for a login of Postgres that can read only these. Shares are stored in the catalogs alone: each project has a
// schema, with the project's id in its name, and the logins that may use it.

const SCHEMA_PREFIX = "gatehouse_project_";
export const SHARED_VIEWS = ["events", "exposures"] as const;

export const sharedSchemaName = (projectID: string): string => `${SCHEMA_PREFIX}${projectID}`;

const json = (column: string) => `${storable(`"${column}"`)}::json`;

const EVENT_COLUMNS = [
  "id",
  "name",
  "time",
  "day",
  "userID",
  "customIDs",
  "value",
  "metadata",
  "environment",
  "userFields",
  "exposed",
  "ruleID",
]
  .map((column) => `"${column}"`)
  .join(", ");

/** Each event once in any snapshot, with the time that results give it: at most the end of the day of its arrival. */
const selectEvents = (project: string) => `
  select "id", "name", least("time", ("day" + 1)::bigint * ${DAY_MS} - 1) as "time", "userID" as user_id, ${json("customIDs")} as custom_ids,
    "value", ${json("metadata")} as metadata, "environment", ${json("userFields")} as user_fields, "exposed", "ruleID" as rule_id
  from (
    select ${EVENT_COLUMNS} from event where "projectID" = ${project}
    union all
    select ${EVENT_COLUMNS} from kept_event where "projectID" = ${project} and "day" in (select "day" from dropped_event_day)
  ) as event`;

const selectExposures = (project: string) => `
  select "experimentID" as experiment_id, "groupID" as group_id, "unitID" as unit_id, "firstTime" as first_time, "environment",
    ${json("userFields")} as user_fields
  from experiment_exposure where "projectID" = ${project}`;

/** A shared schema with the events of a project, and the logins that may use it. */
export type SharedSchema = { schema: string; projectID: string; logins: string[] };

/** Selects every `SharedSchema`. */
const SHARED_SCHEMAS = `
  select nspname::text as schema, substr(nspname, ${SCHEMA_PREFIX.length + 1}) as "projectID", array(
    select pg_get_userbyid(grantee)::text from aclexplode(nspacl) where privilege_type = 'USAGE' and grantee not in (0, nspowner)
  ) as logins
  from pg_namespace where starts_with(nspname, '${SCHEMA_PREFIX}')`;

/**
 * The statements that create the views of a schema again. The views are barriers: a reader's condition never sees rows of another project.
 */
export function makeSharedViews({ schema, projectID, logins }: SharedSchema): string[] {
  const project = pg.escapeLiteral(projectID);
  const queries = { events: selectEvents(project), exposures: selectExposures(project) };
  return [
    ...dropSharedViews({ schema }),
    ...SHARED_VIEWS.map((view) => `create view ${pg.escapeIdentifier(schema)}.${view} with (security_barrier) as ${queries[view]}`),
    ...logins.flatMap((login) =>
      SHARED_VIEWS.map((view) => `grant select on ${pg.escapeIdentifier(schema)}.${view} to ${pg.escapeIdentifier(login)}`),
    ),
  ];
}

/** Statements that drop the views, and all objects that depend on them. The logins that may use the schema stay. */
export function dropSharedViews({ schema }: Pick<SharedSchema, "schema">): string[] {
  return SHARED_VIEWS.map((view) => `drop view if exists ${pg.escapeIdentifier(schema)}.${view} cascade`);
}

/** Lists shared schemas. */
export const listShared = (db: Db): Promise<SharedSchema[]> => db.$queryRaw<SharedSchema[]>(Prisma.raw(SHARED_SCHEMAS));

/** Ends the sharing of projects, and drops all objects that depend on their views. */
export async function unshareProjects(db: Db, projectIDs: readonly string[]): Promise<void> {
  for (const { schema, projectID } of await listShared(db))
    if (projectIDs.includes(projectID)) await db.$executeRaw(Prisma.raw(`drop schema if exists ${pg.escapeIdentifier(schema)} cascade`));
}

/** Runs the statements of each schema. */
export async function forSharedSchemas(session: Session, statements: (shared: SharedSchema) => string[]): Promise<void> {
  for (const shared of await session.query<SharedSchema>(SHARED_SCHEMAS)) await session.script(statements(shared).join(";\n"));
}
