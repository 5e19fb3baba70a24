import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../../store/database/unit-of-work.ts";
import type { DayOfSource, IngestedCount, IngestedDay } from "./ingested-day.ts";

/** How far a pass has come. */
export type Pass = DayOfSource & {
  number: number;
  /** The identity of the last row that was compared. Empty before the first. */
  cursor: string;
};

/** The outcome of the rows of a day. */
export type Passed = Pick<IngestedDay, "rows" | "refused" | "copied" | "message">;

const at = ({ projectID, source, day }: DayOfSource) => Prisma.sql`"projectID" = ${projectID} and source = ${source} and day = ${day}`;
/** The pass is still at this step, and no other process has continued it. */
const isAt = (pass: Pass) => Prisma.sql`${at(pass)} and pass = ${pass.number} and cursor = ${pass.cursor} and state = 'running'`;

/** The definition of a day after its rows were forgotten. */
const FORGOTTEN = "";

/**
 * Begins a pass over the rows of a day, or continues an unfinished one. A transaction.
 * @param definitionHash identifies the query and the mapping
 * @returns it with the number of copied rows, or the reason for refusing it: the rows might be copied twice
 */
export async function beginPass(
  db: Db,
  day: DayOfSource,
  definitionHash: string,
  now: number,
): Promise<{ pass: Pass; copied: number } | { reason: string }> {
  const { projectID, source } = day;
  const [begun] = await db.$queryRaw<{ pass: number; cursor: string; copied: number }[]>`
    insert into ingestion_day as kept ("projectID", source, day, definition, state, pass, cursor, seen, refused, copied, "updatedTime")
    values (${projectID}, ${source}, ${day.day}, ${definitionHash}, 'running', 1, '', 0, 0, 0, ${now})
    on conflict ("projectID", source, day) do update set
      definition = excluded.definition, state = 'running', message = null, "updatedTime" = ${now},
      pass = kept.pass + case when kept.state = 'complete' then 1 else 0 end,
      cursor = case when kept.state = 'complete' or kept.definition <> excluded.definition then '' else kept.cursor end,
      seen = case when kept.state = 'complete' or kept.definition <> excluded.definition then 0 else kept.seen end,
      refused = case when kept.state = 'complete' or kept.definition <> excluded.definition then 0 else kept.refused end
    where kept.definition = excluded.definition or kept.copied = 0
    returning pass, cursor, copied::float8`;
  if (!begun) return { reason: await whyNoPass(db, day) };
  if (begun.cursor === "") await db.$executeRaw`update ingestion_count set seen = 0 where ${at(day)}`;
  return { pass: { ...day, number: begun.pass, cursor: begun.cursor }, copied: begun.copied };
}

async function whyNoPass(db: Db, day: DayOfSource): Promise<string> {
  const [row] = await db.$queryRaw<{ definition: string }[]>`select definition from ingestion_day where ${at(day)}`;
  return row?.definition === FORGOTTEN
    ? "It was copied so long ago that its rows have been forgotten, so they would be copied twice."
    : "It was copied with another query or mapping, or from another engine. Its rows would be copied twice.";
}

/** Locks a day for a step of its pass. @returns whether the pass is still this process's */
export async function holdPass(db: Db, pass: Pass): Promise<boolean> {
  const held = await db.$queryRaw<object[]>`select pass from ingestion_day where ${isAt(pass)} for update`;
  return held.length > 0;
}

/** The identities of copied rows, in the range of a step. Equal rows repeat theirs. */
export async function copiedIdentities(db: Db, day: DayOfSource, first: string, last: string): Promise<string[]> {
  const rows = await db.$queryRaw<{ identities: string }[]>`
    select identities from ingestion_rows where ${at(day)} and first collate "C" <= ${last} and last collate "C" >= ${first}`;
  return rows.flatMap(({ identities }) => unpacked(identities)).filter((identity) => first <= identity && identity <= last);
}

/** The findings of a pass's step. */
export type Step = {
  /** The identity of its last row. */
  cursor: string;
  seen: number;
  refused: number;
  /** Why one of them was refused. */
  message: string | null;
  /** The identities of its copied rows, ascending. */
  identities: readonly string[];
  counts: readonly { event: string; seen: number; copied: number }[];
};

/** Notes a step, in the transaction that copies its rows. */
export async function finishStep(db: Db, pass: Pass, step: Step, now: number): Promise<void> {
  const { projectID, source, day, number } = pass;
  const { cursor, seen, refused, message, identities, counts } = step;
  await db.$executeRaw`
    update ingestion_day set cursor = ${cursor}, seen = seen + ${seen}, refused = refused + ${refused}, copied = copied + ${identities.length},
      message = coalesce(${message}, message), "updatedTime" = ${now}
    where ${isAt(pass)}`;
  if (identities.length > 0)
    await db.$executeRaw`
      insert into ingestion_rows ("projectID", source, day, pass, first, last, identities)
      values (${projectID}, ${source}, ${day}, ${number}, ${identities[0]}, ${identities.at(-1)}, ${packed(identities)})`;
  const given = JSON.stringify(counts);
  await db.$executeRaw`
    insert into ingestion_count as kept ("projectID", source, day, event, copied, seen, found, "updatedTime")
    select ${projectID}, ${source}, ${day}, event, copied, seen, 0, ${now}
    from json_to_recordset(${given}::json) as one (event text, copied bigint, seen bigint) order by event
    on conflict ("projectID", source, day, event) do update set
      copied = kept.copied + excluded.copied, seen = kept.seen + excluded.seen, "updatedTime" = ${now}`;
}

/** Ends a pass that has seen all rows, in a transaction. @returns the outcome of the rows, unless another process has ended the pass */
export async function completePass(db: Db, pass: Pass, now: number): Promise<Passed | undefined> {
  const [ended] = await db.$queryRaw<Passed[]>`
    update ingestion_day set state = 'complete', rows = seen, cursor = '', "updatedTime" = ${now} where ${isAt(pass)}
    returning rows::float8, refused::float8, copied::float8, message`;
  if (ended) await db.$executeRaw`update ingestion_count set found = seen, seen = 0, "updatedTime" = ${now} where ${at(pass)}`;
  return ended;
}

/** Ends a pass that has to stop now. Another one continues where it stopped. */
export async function failPass(db: Db, day: DayOfSource, message: string, now: number): Promise<void> {
  await db.$executeRaw`
    update ingestion_day set state = 'failed', message = ${message}, "updatedTime" = ${now} where ${at(day)} and state = 'running'`;
}

type Listed = { projectID: string; from: number; to: number };

/** The days of sources from one to another, inclusive, in their order. */
export async function listIngestedDays(
  db: Db,
  { projectID, from, to, sources }: Listed & { sources?: readonly string[] },
): Promise<IngestedDay[]> {
  const isNamed = sources ? Prisma.sql`source = any(${[...sources]}::text[])` : Prisma.sql`true`;
  return db.$queryRaw<IngestedDay[]>`
    select source, day, state, seen::float8 as rows, refused::float8, copied::float8, message, "updatedTime"::float8
    from ingestion_day where "projectID" = ${projectID} and day between ${from} and ${to} and ${isNamed} order by day, source`;
}

/** The most counts that are listed. A source may call its events as it likes. */
const MOST_COUNTS = 10_000;

/** The counts of days from one to another, inclusive, in no order. Of too many, those with the most rows. */
export async function listIngestedCounts(
  db: Db,
  { projectID, from, to, source, event }: Listed & { source?: string; event?: string },
): Promise<IngestedCount[]> {
  const ofSource = source === undefined ? Prisma.sql`true` : Prisma.sql`source = ${source}`;
  const ofEvent = event === undefined ? Prisma.sql`true` : Prisma.sql`event = ${event}`;
  return db.$queryRaw<IngestedCount[]>`
    select source, day, event, copied::float8 as internal, found::float8 as external, "updatedTime"::float8
    from ingestion_count where "projectID" = ${projectID} and day between ${from} and ${to} and ${ofSource} and ${ofEvent}
    order by greatest(copied, found) desc, day, source, event limit ${MOST_COUNTS}`;
}

/** The rows that the last complete pass over each day saw. Days without one are missing. */
export async function rowsOfDays(
  db: Db,
  { projectID, source }: Omit<DayOfSource, "day">,
  days: readonly number[],
): Promise<Map<number, number>> {
  const known = await db.$queryRaw<{ day: number; rows: number }[]>`
    select day, rows::float8 from ingestion_day
    where "projectID" = ${projectID} and source = ${source} and day = any(${[...days]}::int[]) and rows is not null`;
  return new Map(known.map(({ day, rows }) => [day, rows]));
}

/** Forgets which rows were copied on days with their last pass before a time, ms. These days can't have another pass. */
export async function forgetIdentities(db: Db, before: number): Promise<void> {
  await db.$executeRaw`
    with old as (
      update ingestion_day set definition = ${FORGOTTEN} where "updatedTime" < ${before} and definition <> ${FORGOTTEN} returning "projectID", source, day
    )
    delete from ingestion_rows using old
    where ingestion_rows."projectID" = old."projectID" and ingestion_rows.source = old.source and ingestion_rows.day = old.day`;
}

const packed = (identities: readonly string[]): string => Buffer.from(identities.join(""), "hex").toString("base64");

function unpacked(text: string): string[] {
  const digits = Buffer.from(text, "base64").toString("hex");
  return Array.from({ length: digits.length / 16 }, (_, index) => digits.slice(index * 16, (index + 1) * 16));
}
