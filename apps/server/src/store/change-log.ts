import type { Context } from "../context.ts";
import { conflict } from "../errors.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { isUniqueViolation } from "./database-errors.ts";
import type { Versioned } from "./entity-tag.ts";
import { toText } from "./entity-text.ts";
import { type Precondition, requireMatch } from "./precondition.ts";
import { deleteRow, insertRow, type Row, type Table, updateRow } from "./row.ts";
import type { Db } from "./unit-of-work.ts";

/** What a write is about: the table and key of its row, and what the log calls it: `{ type: "gate", id: "new_checkout" }`. */
type Subject = {
  table: Table;
  key: Row;
  type: string;
  id: string;
  /** What the caller calls it, where that is not the id. */
  name?: string;
  /** Statements that are part of the write. */
  alongside?: Prisma.Sql[];
};

/**
 * The way in which stores write: each row and its row in the change log are one statement, so that there is no write without its
 * change. A write is guarded by the version that it was decided on.
 */
export type ChangeLog = {
  /** `before` is what was answered while it was not there. @throws AppError conflict if the key, or another that is unique, is taken */
  create<E extends Versioned>(subject: Subject, entity: E, columns: Row, before?: Versioned): Promise<E>;
  /** `reason` is why, in the caller's words. @throws AppError conflict if the row is no longer the version `before` */
  replace<E extends Versioned>(subject: Subject, before: E, after: E, columns: Row, reason?: string): Promise<E>;
  /** @throws AppError conflict if the row is no longer the version `before` */
  delete(subject: Subject, before: Versioned, reason?: string): Promise<void>;
  /** Makes what may be there already, also by another request at the same time. */
  ensure<E extends Versioned>(subject: Subject, entity: E, columns: Row): Promise<void>;
  /** What was written so far. */
  readonly entries: readonly Entry[];
};

/** One write: the entity as it was and as it is, null where there is none. */
export type Entry = { type: string; id: string; before: Versioned | null; after: Versioned | null };

/** @throws AppError precondition_failed, from each write, when the request names another version in If-Match */
export function createChangeLog(db: Db, context: Context, precondition?: Precondition): ChangeLog {
  const entries: Entry[] = [];
  return {
    entries,

    async create(subject, entity, columns, before) {
      const { table, key } = subject;
      if (precondition) requireMatch(precondition, subject, before ?? null);
      await write(subject, insertRow(table, { ...key, ...columns }), null, entity).catch((error: unknown) => {
        if (!isUniqueViolation(error)) throw error;
        throw conflict(`${title(subject.type)} ${subject.name ?? subject.id} already exists.`);
      });
      return entity;
    },

    async replace(subject, before, after, columns, reason) {
      const { table, key } = subject;
      if (precondition) requireMatch(precondition, subject, before);
      requireOne(subject, await write(subject, updateRow(table, { ...key, version: before.version }, columns), before, after, reason));
      return after;
    },

    async delete(subject, before, reason) {
      const { table, key } = subject;
      if (precondition) requireMatch(precondition, subject, before);
      requireOne(subject, await write(subject, deleteRow(table, { ...key, version: before.version }), before, null, reason));
    },

    async ensure(subject, entity, columns) {
      const { table, key } = subject;
      await write(subject, Prisma.sql`${insertRow(table, { ...key, ...columns })} on conflict do nothing`, null, entity);
    },
  };

  /** Runs the statement and logs it if it touched its row. Answers how many rows that were: 0 or 1. */
  async function write(
    { type, id, alongside = [] }: Subject,
    statement: Prisma.Sql,
    before: Versioned | null,
    after: Versioned | null,
    reason?: string,
  ): Promise<number> {
    const { projectID, actor, operationID, now } = context;
    // A delete is a version too, so that an entity's changes count up without a gap.
    const version = after?.version ?? (before?.version ?? 0) + 1;
    const count = await db.$executeRaw`
      with written as (${statement} returning 1)${withEach(alongside)}
      insert into change ("projectID", "time", "actorID", "actorName", "operationID", "entityType", "entityID", "version", "reason", "before", "after")
      select ${projectID}, ${now}, ${actor.id}, ${actor.name}, ${operationID}, ${type}, ${id}, ${version}, ${reason ?? null},
             ${before && toText(before)}, ${after && toText(after)}
      from written`;
    if (count > 0) entries.push({ type, id, before, after });
    return count;
  }
}

function withEach(statements: Prisma.Sql[]): Prisma.Sql {
  const named = statements.map((statement, index) => Prisma.sql`, ${Prisma.raw(`alongside${index}`)} as (${statement})`);
  return named.length > 0 ? Prisma.join(named, " ") : Prisma.empty;
}

function requireOne({ type, id }: Subject, count: number): void {
  if (count !== 1) throw conflict(`${title(type)} ${id} was changed by another request at the same time. Read it again.`);
}

/** `metric_source` → `metric source` */
export function words(type: string): string {
  return type.replaceAll("_", " ");
}

/** `metric_source` → `Metric source` */
export function title(type: string): string {
  return type.charAt(0).toUpperCase() + words(type).slice(1);
}
