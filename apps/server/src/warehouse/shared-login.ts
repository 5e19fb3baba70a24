import pg from "pg";
import { SHARED_VIEWS, sharedSchemaName } from "../store/database/shared-events.ts";

/** Privileges on tables that every version of Postgres knows. */
const WRITES = "insert, update, delete, truncate, references, trigger";
const ON_COLUMNS = "select, insert, update, references";

/**
 * A statement that lists a login's permissions beyond reading the views of a project, and its missing ones. Each row has a `fault` that
 * follows the login's name in a sentence. Postgres's own objects count if it gives them to no login by default.
 * @param login an SQL expression
 */
export function faultsOfLogin(login: string, projectID: string): string {
  const schema = pg.escapeLiteral(sharedSchemaName(projectID));
  const views = SHARED_VIEWS.map((view) => pg.escapeLiteral(view)).join(", ");
  return `
with login as materialized (select oid, rolname, rolsuper, rolreplication, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = ${login}),
shared as materialized (
  select c.oid from pg_class as c join pg_namespace as n on n.oid = relnamespace where nspname = ${schema} and relname in (${views}) and relkind = 'v'
),
place as materialized (
  select n.oid, nspname, nspname in ('pg_catalog', 'information_schema') as is_system
  from pg_namespace as n where nspname !~ '^pg_(toast|temp)'
),
others as materialized (
  select oid from place where starts_with(nspname, ${pg.escapeLiteral(sharedSchemaName(""))}) and nspname <> ${schema}
),
granted as materialized (
  select classid, objid, deptype, coalesce(
    case classid when 'pg_namespace'::regclass then objid
      when 'pg_class'::regclass then (select relnamespace from pg_class where oid = objid) end in (select oid from others), false) as is_of_others
  from login join pg_shdepend on refclassid = 'pg_authid'::regclass and refobjid = login.oid
  where dbid = (select oid from pg_database where datname = current_database()) or dbid = 0 and classid <> 'pg_database'::regclass
),
extended as materialized (select classid, objid from pg_depend where deptype = 'e'),
fault as (
  select 1 as place, 'is a ' || attribute as fault from login, lateral (
    values (rolsuper, 'superuser'), (rolreplication, 'role with REPLICATION'), (rolcreaterole, 'role with CREATEROLE'),
      (rolcreatedb, 'role with CREATEDB'), (rolbypassrls, 'role with BYPASSRLS')
  ) as attributes (has, attribute) where has
  union all
  select 2, 'is a member of ' || other.rolname from login join pg_roles as other on other.oid <> login.oid
  where pg_has_role(login.oid, other.oid, 'member')
  union all
  select 3, 'reads the events of another project' from login
  where exists (select from others where has_schema_privilege(login.oid, others.oid, 'usage')) or exists (select from granted where is_of_others)
  union all
  select 4, 'may create schemas in the database' from login where has_database_privilege(oid, current_database(), 'create')
  union all
  select 4, 'may create objects in the schema ' || nspname from login join place on has_schema_privilege(login.oid, place.oid, 'create')
  union all
  select 5, 'has privileges on ' || pg_describe_object('pg_class'::regclass, c.oid, 0)
  from login, pg_class as c join place on place.oid = relnamespace
  where not is_system and relkind in ('r', 'p', 'v', 'm', 'f') and relnamespace not in (select oid from others) and has_schema_privilege(login.oid, place.oid, 'usage')
    and c.oid not in (select oid from shared) and not exists (select from extended where classid = 'pg_class'::regclass and objid = c.oid)
    and (has_table_privilege(login.oid, c.oid, '${WRITES}') or has_any_column_privilege(login.oid, c.oid, '${ON_COLUMNS}'))
  union all
  select 5, 'has privileges on ' || pg_describe_object('pg_class'::regclass, c.oid, 0)
  from login, pg_class as c join place on place.oid = relnamespace
  where not is_system and relkind = 'S' and has_schema_privilege(login.oid, place.oid, 'usage')
    and has_sequence_privilege(login.oid, c.oid, 'usage, select, update')
  union all
  select 5, 'may write ' || pg_describe_object('pg_class'::regclass, shared.oid, 0) from login, shared
  where has_table_privilege(login.oid, shared.oid, '${WRITES}')
  union all
  select 6, 'may call ' || pg_describe_object('pg_proc'::regclass, p.oid, 0) || ', which has the rights of its owner'
  from login, pg_proc as p join place on place.oid = pronamespace
  where prosecdef and not is_system and prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
    and has_schema_privilege(login.oid, place.oid, 'usage') and has_function_privilege(login.oid, p.oid, 'execute')
  union all
  select 6, case classoid when 'pg_proc'::regclass then 'may call ' else 'has privileges on ' end || pg_describe_object(classoid, objoid, 0)
  from login, pg_init_privs as initial
  where objsubid = 0 and not exists (select from aclexplode(initprivs) where grantee = 0) and case classoid
    when 'pg_proc'::regclass then has_function_privilege(login.oid, objoid, 'execute')
    when 'pg_class'::regclass then has_table_privilege(login.oid, objoid, 'select')
    else false end
  union all
  select 7, case deptype when 'o' then 'owns ' else 'has privileges on ' end || pg_describe_object(classid, objid, 0) from granted
  where not is_of_others and not (deptype = 'a' and classid = 'pg_class'::regclass and objid in (select oid from shared))
    and not (deptype = 'a' and classid = 'pg_namespace'::regclass and objid in (select oid from place where nspname = ${schema}))
  union all
  select 8, 'cannot read the events of this project' where not exists (
    select from login, place where nspname = ${schema} and has_schema_privilege(login.oid, place.oid, 'usage')
      and ${SHARED_VIEWS.length} = (select count(*) from shared where has_table_privilege(login.oid, shared.oid, 'select'))
  )
)
select fault from fault group by fault order by min(place), fault limit ${MOST_FAULTS + 1}`;
}

/** Faults that a message names. */
const MOST_FAULTS = 3;

/** `is a superuser, may create objects in the schema public, and more` */
export function listFaults(faults: readonly string[]): string {
  return `${faults.slice(0, MOST_FAULTS).join(", ")}${faults.length > MOST_FAULTS ? ", and more" : ""}`;
}
