import { type AnyKind, kinds } from "../../console/kinds.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { asRead } from "../../store/change-log/entity-text.ts";
import type { Database } from "../../store/database/database.ts";
import { requireWholeDatabase } from "../../store/database/restores.ts";
import { matches, name } from "../../store/database/row.ts";
import { type Db, reading } from "../../store/database/unit-of-work.ts";

/**
 * The version of a project: `seq` is the number of its last change, `time` the ruleset's time, ms since the epoch. `restoredTime` is later
 * after each restore of the database. `mark` identifies the last change, since a restored database uses numbers again. It is null if
 * retention dropped the change.
 */
export type ProjectVersion = { seq: number; time: number; restoredTime: number; mark: string | null };

/** The project lost changes that were read before. */
export type Lost = "lost";

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
      select 'project' as "type", project."id", json_build_object(
        'seq', "lastSeq", 'time', "rulesetTime", 'restoredTime', "restoredTime", 'mark', ${MARK}
      )::text as "text" from project left join change on change."projectID" = project."id" and "seq" = "lastSeq" where project."id" = ${projectID}
      ${Prisma.join(
        EVALUATED.map((kind) => Prisma.sql`union all ${selectEntities(kind, projectID)}`),
        " ",
      )}`,
  );
  await requireWholeDatabase(database);
  const project = rows.find(({ type }) => type === "project");
  if (!project) return undefined;
  const states = rows
    .filter((row) => row !== project)
    .map(({ type, id, text }) => ({ type, id, entity: asRead<object>(JSON.parse(text)) }));
  return { ...(JSON.parse(project.text) as ProjectVersion), states };
}

function selectEntities({ table, type, idColumn = "id", scope }: AnyKind, projectID: string): Prisma.Sql {
  return Prisma.sql`select ${type}::text, ${name(idColumn)}, "entity" from ${name(table)} where ${matches({ projectID, ...scope })}`;
}

/**
 * The last state of each entity that changed after a version. Undefined if reading the whole project is cheaper, or the database was
 * restored since. `lost` if it was restored and this is not noted yet.
 */
export async function readChanges(
  database: Database,
  projectID: string,
  known: ProjectVersion,
): Promise<(ProjectVersion & { states: EntityState[] }) | Lost | undefined> {
  const rows = await reading(
    database,
    (db) => db.$queryRaw<ChangeRow[]>`
      select "lastSeq", "rulesetTime", "restoredTime", "seq", "entityType" as "type", "entityID" as "id", ${MARK} as "mark",
        case when "seq" > ${known.seq} then "after" end as "after"
      from project left join change on change."projectID" = project."id" and "seq" >= ${known.seq}
      where project."id" = ${projectID} order by "seq" limit ${MAX_CHANGES + 1}`,
  );
  const [first] = rows;
  if (!first) return undefined;
  const version = { seq: Number(first.lastSeq), time: Number(first.rulesetTime), restoredTime: Number(first.restoredTime) };
  if (version.restoredTime !== known.restoredTime) return undefined;
  const last = first.seq !== null && Number(first.seq) === known.seq ? first : undefined;
  if (version.seq < known.seq || version.time < known.time || (last && known.mark !== null && last.mark !== known.mark)) return "lost";
  const changes = rows.filter((row) => row.seq !== null && row !== last);
  // Numbers have no gaps, so a change that is not among these is one too many, or retention dropped it.
  if (changes.length !== version.seq - known.seq) return undefined;
  const states = new Map(changes.map(({ type, id, after }) => [`${type} ${id}`, toState(type, id, after)]));
  return { ...version, mark: changes.at(-1)?.mark ?? known.mark, states: [...states.values()] };
}

type ChangeRow = {
  lastSeq: bigint;
  rulesetTime: bigint;
  restoredTime: bigint;
  seq: bigint | null;
  type: string;
  id: string;
  mark: string;
  after: string | null;
};

/** Differs between two changes with the same number. */
const MARK = Prisma.sql`nullif(concat_ws(' ', change."id", change."time", "requestID", "entityType", "entityID", "version"), '')`;

function toState(type: string, id: string, after: string | null): EntityState {
  return { type, id, entity: after === null ? null : asRead<object>(JSON.parse(after)) };
}

/** The state that a replica compares with its memory: the number of a project's last change, and when the database was last restored. */
export type LastChange = Pick<ProjectVersion, "seq" | "restoredTime">;

/** The last change of each project, by project ID. */
export async function readLastChanges(database: Database, projectIDs: string[]): Promise<Map<string, LastChange>> {
  const rows = await reading(
    database,
    (db) => db.$queryRaw<{ id: string; lastSeq: bigint; restoredTime: bigint }[]>`
      select "id", "lastSeq", "restoredTime" from project where "id" = any(${projectIDs}::text[])`,
  );
  return new Map(rows.map(({ id, lastSeq, restoredTime }) => [id, { seq: Number(lastSeq), restoredTime: Number(restoredTime) }]));
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
