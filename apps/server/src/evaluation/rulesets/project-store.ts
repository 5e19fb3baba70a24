import { type AnyKind, kinds } from "../../console/kinds.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { asRead } from "../../store/change-log/entity-text.ts";
import type { Database } from "../../store/database/database.ts";
import { matches, name } from "../../store/database/row.ts";
import { type Db, reading } from "../../store/database/unit-of-work.ts";

/** The version of a project: `seq` is the number of its last change, `time` the ruleset's time, ms since the epoch. */
export type ProjectVersion = { seq: number; time: number };

/** The last state of an entity, by its type in the change log. Null if it was deleted. */
export type EntityState = { type: string; id: string; entity: object | null };

/** A piece of an id list's file: a line for each id that was added or removed, with `+` or `-` and its hash. */
export type ListPiece = { version: number; start: number; lines: string };

/** Beyond this many changes the whole project is reloaded. */
const MAX_CHANGES = 1_000;

/** The kinds that are compiled into rulesets. */
const EVALUATED = kinds.filter(({ ruleset }) => ruleset !== null && ruleset !== "scopes");

/** Everything of a project that is evaluated, as one snapshot. Undefined if the project does not exist. */
export async function readProject(
  database: Database,
  projectID: string,
): Promise<(ProjectVersion & { states: EntityState[] }) | undefined> {
  // One statement sees one snapshot.
  const rows = await reading(
    database,
    (db) => db.$queryRaw<{ type: string; id: string; text: string }[]>`
      select 'project' as "type", "lastSeq"::text as "id", "rulesetTime"::text as "text" from project where "id" = ${projectID}
      ${Prisma.join(
        EVALUATED.map((kind) => Prisma.sql`union all ${selectEntities(kind, projectID)}`),
        " ",
      )}`,
  );
  const project = rows.find(({ type }) => type === "project");
  if (!project) return undefined;
  const states = rows
    .filter((row) => row !== project)
    .map(({ type, id, text }) => ({ type, id, entity: asRead<object>(JSON.parse(text)) }));
  return { seq: Number(project.id), time: Number(project.text), states };
}

function selectEntities({ table, type, idColumn = "id", scope }: AnyKind, projectID: string): Prisma.Sql {
  return Prisma.sql`select ${type}::text, ${name(idColumn)}, "entity" from ${name(table)} where ${matches({ projectID, ...scope })}`;
}

/** The last state of each entity that changed after change number `since`. Undefined if reading the whole project is cheaper. */
export async function readChanges(
  database: Database,
  projectID: string,
  since: number,
): Promise<(ProjectVersion & { states: EntityState[] }) | undefined> {
  const rows = await reading(
    database,
    (db) => db.$queryRaw<{ lastSeq: bigint; rulesetTime: bigint; type: string | null; id: string; after: string | null }[]>`
      select "lastSeq", "rulesetTime", "entityType" as "type", "entityID" as "id", "after"
      from project left join change on change."projectID" = project."id" and "seq" > ${since}
      where project."id" = ${projectID} order by "seq" limit ${MAX_CHANGES}`,
  );
  const [first] = rows;
  const changes = rows.flatMap(({ type, id, after }) => (type === null ? [] : [[`${type} ${id}`, { type, id, after }] as const]));
  // Numbers have no gaps, so a change that is not among these is one too many, or retention dropped it.
  if (!first || changes.length !== Number(first.lastSeq) - since) return undefined;
  const last = new Map(changes);
  const states = Array.from(last.values(), ({ type, id, after }) => ({
    type,
    id,
    entity: after === null ? null : asRead<object>(JSON.parse(after)),
  }));
  return { seq: Number(first.lastSeq), time: Number(first.rulesetTime), states };
}

/** The number of the last change of each project, by project ID. */
export async function readLastChanges(database: Database, projectIDs: string[]): Promise<Map<string, number>> {
  const rows = await reading(
    database,
    (db) => db.$queryRaw<{ id: string; lastSeq: bigint }[]>`select "id", "lastSeq" from project where "id" = any(${projectIDs}::text[])`,
  );
  return new Map(rows.map(({ id, lastSeq }) => [id, Number(lastSeq)]));
}

/** The first `most` ids of a segment, sorted by code point. */
export async function readIDs(db: Db, projectID: string, segmentID: string, most: number): Promise<string[]> {
  const rows = await db.$queryRaw<{ id: string }[]>`
    select "id" from segment_id where "projectID" = ${projectID} and "segmentID" = ${segmentID} order by "id" limit ${most}`;
  return rows.map(({ id }) => id);
}

/** The changes of a segment's list after a version of the segment, in order. */
export async function readListPieces(db: Db, projectID: string, segmentID: string, after: number): Promise<ListPiece[]> {
  const rows = await db.$queryRaw<{ version: number; start: bigint; lines: string }[]>`
    select "version", "start", "lines" from segment_id_change
    where "projectID" = ${projectID} and "segmentID" = ${segmentID} and "version" > ${after} order by "version"`;
  return rows.map(({ version, start, lines }) => ({ version, start: Number(start), lines }));
}
