import { Prisma } from "../../generated/prisma/client.ts";
import { matches } from "../../store/database/row.ts";
import type { StoreDeps } from "../../store/entities/store-deps.ts";
import type { Window } from "../common/page.ts";
import type { Segment } from "./segment.ts";
import { MAX_ID_BYTES } from "./segment-ids.ts";

/** As many of the last code point as an id can have. */
const END_OF_RANGE = "\u{10FFFF}".repeat(MAX_ID_BYTES / 4);

/**
 * The ids of segments: a row for each id, and a row for each change of a list. A change has one line for each id that it adds or removes:
 * `+` or `-`, and the first 8 characters of the id's SHA-256 in base64. The lines of all changes since the last reset, by version, are the
 * file that SDKs download; it only grows. `start` is a change's offset in it, in bytes.
 *
 * Callers that change a list must hold the lock of its segment, so that changes are sequential.
 */
export function createSegmentIDStore({ db, projectID }: StoreDeps) {
  const ofList = (segmentID: string) => matches({ projectID, segmentID });
  // A range of the primary key, unlike `starts_with` in a prepared statement. An id after its end would be too long.
  const startingWith = (segmentID: string, start: string) =>
    Prisma.sql`${ofList(segmentID)} and "id" between ${start} and ${start + END_OF_RANGE}`;

  return {
    /** Sorted by code point. With `start`, the ids that start with it. */
    async list(segmentID: string, window: Window, start = ""): Promise<string[]> {
      const where = start === "" ? ofList(segmentID) : startingWith(segmentID, start);
      const rows = await db.$queryRaw<{ id: string }[]>`
        select "id" from segment_id where ${where} order by "id" limit ${window.take} offset ${window.skip}`;
      return rows.map(({ id }) => id);
    },

    /** The number of ids that start with a text. */
    async count(segmentID: string, start: string): Promise<number> {
      const [row] = await db.$queryRaw<{ count: number }[]>`
        select count(*)::int as count from segment_id where ${startingWith(segmentID, start)}`;
      return row?.count ?? 0;
    },

    /** The segment's version as of the last change of its ids; 1 before any change. */
    async version(segmentID: string): Promise<number> {
      const [row] = await db.$queryRaw<{ version: number | null }[]>`
        select max("version") as version from segment_id_change where ${ofList(segmentID)}`;
      return row?.version ?? 1;
    },

    /**
     * The files of the segments that have ids. A file's id is made of the version and the time at which it began. A deleted segment of the
     * same id may have a change of that version too: the latest counts. A restore of the database begins new files, since SDKs may have read
     * more of a file than is left, or another one.
     */
    async files(segmentIDs: string[]): Promise<{ name: string; fileID: string; size: number; creationTime: number }[]> {
      const rows = await db.$queryRaw<{ name: string; first: number; size: bigint; time: bigint }[]>`
        select "segmentID" as name, min(piece.version) as first, max("start" + octet_length("lines")) as size, greatest((
          select "restoredTime" from project where "id" = ${projectID}
        ), (
          select "time" from change where "projectID" = ${projectID} and "entityType" = 'segment' and "entityID" = "segmentID"
            and version = min(piece.version) order by "id" desc limit 1
        )) as time
        from segment_id_change as piece where "projectID" = ${projectID} and "segmentID" = any(${segmentIDs}::text[])
        group by "segmentID" order by "segmentID"`;
      return rows.map(({ name, first, size, time }) => {
        const creationTime = Number(time);
        return { name, fileID: `${first}-${creationTime.toString(36)}`, size: Number(size), creationTime };
      });
    },

    /** The bytes of a segment's file from offset `from` up to `to`, exclusive. Fewer if the file ends earlier. */
    async readFile(segmentID: string, from: number, to: number): Promise<Buffer> {
      const rows = await db.$queryRaw<{ start: bigint; lines: string }[]>`
        select "start", "lines" from segment_id_change where ${ofList(segmentID)} and "start" < ${to} and "version" >= coalesce((
          select max("version") from segment_id_change where ${ofList(segmentID)} and "start" <= ${from}
        ), 0) order by "version"`;
      const [first] = rows;
      if (!first) return Buffer.alloc(0);
      const pieces = Buffer.from(rows.map(({ lines }) => lines).join(""), "latin1");
      return pieces.subarray(from - Number(first.start), to - Number(first.start));
    },

    /** Adds ids, as the segment's next version. Returns the number of ids that are new. */
    add(segment: Segment, ids: string[]): Promise<number> {
      // Inserting in index order makes large calls a quarter faster.
      const insertion = Prisma.sql`
        insert into segment_id ("projectID", "segmentID", "id")
        select ${projectID}, ${segment.id}, "id" from unnest(${ids}::text[]) as given ("id") order by "id" collate "C"
        on conflict do nothing`;
      return change(segment, "+", insertion);
    },

    /** Removes ids, as the segment's next version. Returns the number of ids that were listed. */
    remove(segment: Segment, ids: string[]): Promise<number> {
      const deletion = Prisma.sql`delete from segment_id where ${ofList(segment.id)} and "id" = any(${ids}::text[])`;
      return change(segment, "-", deletion);
    },

    /** Removes all ids and ends the file: the next change begins a new one. */
    async clear(segmentID: string): Promise<void> {
      await db.$executeRaw`delete from segment_id where ${ofList(segmentID)}`;
      await db.$executeRaw`delete from segment_id_change where ${ofList(segmentID)}`;
    },
  };

  async function change({ id, version }: Segment, sign: "+" | "-", statement: Prisma.Sql): Promise<number> {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      with changed as (${statement} returning "id"),
      noted as (
        insert into segment_id_change ("projectID", "segmentID", "version", "start", "lines")
        select ${projectID}, ${id}, ${version + 1}, ${endOfFile(id)},
               coalesce(string_agg(${sign} || left(encode(sha256(convert_to("id", 'UTF8')), 'base64'), 8) || chr(10), ''), '')
        from changed
      )
      select count(*)::int as count from changed`;
    return row?.count ?? 0;
  }

  function endOfFile(segmentID: string): Prisma.Sql {
    return Prisma.sql`coalesce((
      select "start" + octet_length("lines") from segment_id_change where ${ofList(segmentID)} order by "version" desc limit 1
    ), 0)`;
  }
}
