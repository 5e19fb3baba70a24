import type { Context } from "../../common/context.ts";
import { type AppError, conflict } from "../../common/errors.ts";
import { capitalized, subjectOf, title } from "../../common/words.ts";
import { Prisma } from "../../generated/prisma/client.ts";
import { isNullViolation, isOfCase, isUniqueViolation } from "../database/database-errors.ts";
import { deleteRow, insertRow, type Row, updateRow } from "../database/row.ts";
import type { Table } from "../database/table.ts";
import type { Db } from "../database/unit-of-work.ts";
import type { Versioned } from "../requests/entity-tag.ts";
import { type Precondition, requireMatch } from "../requests/precondition.ts";
import { toText } from "./entity-text.ts";
import { insertEntry, toEntry } from "./entry.ts";

/** The entity of a write: the table and key of its row, and its name in the log: `{ type: "gate", id: "new_checkout" }`. */
type Subject = {
  table: Table;
  key: Row;
  type: string;
  id: string;
  /** The name that callers use, if it is not the id. */
  name?: string;
  /** Statements that are part of the write. */
  alongside?: Prisma.Sql[];
  /** Whether the write may change the results of lists. Defaults to true. */
  altersLists?: boolean;
  /** Whether the write may change the project's ruleset, or a key's view of it. */
  movesRuleset: boolean;
};

/**
 * All stores write through this. A row and its change are one statement, so each write has its change. A write is guarded by the version
 * that the handler read (optimistic lock). It is sent with the next statement or the commit, which fail if it does.
 */
export type ChangeLog = {
  /** `before` is the result of reads before it existed. @throws AppError conflict if its key or another unique column is taken */
  create<E extends Versioned>(subject: Subject, entity: E, columns: Row, before?: Versioned): Promise<E>;
  /** `reason` is added to the request's. @throws AppError conflict if `before` is outdated */
  replace<E extends Versioned>(subject: Subject, before: E, after: E, columns: Row, reason?: string): Promise<E>;
  /** @throws AppError conflict if `before` is outdated */
  delete(subject: Subject, before: Versioned, reason?: string): Promise<void>;
  /** Creates the entity unless it exists, or another one has a unique column of it. Concurrent requests may do the same. @returns whether it did */
  ensure<E extends Versioned>(subject: Subject, entity: E, columns: Row): Promise<boolean>;
  /** Notes that a request may address an entity by a name other than its id. */
  resolved(type: string, name: string, id: string): void;
  /** @throws Error if the request has an If-Match that was not compared, since no write changed the entity that it addresses */
  requireGuarded(): void;
  /** The writes so far. */
  readonly entries: readonly Entry[];
};

/**
 * One write: the entity before and after, null if it did not or does not exist. A project has some entities, such as its settings, before they are
 * stored: `defaults` is such an entity as it was read.
 */
export type Entry = { type: string; id: string; before: Versioned | null; after: Versioned | null; defaults?: Versioned };

/** Writes of the entity that the request addresses compare its If-Match. @throws AppError precondition_failed */
export function createChangeLog(db: Db, context: Context, precondition?: Precondition): ChangeLog {
  const entries: Entry[] = [];
  return {
    entries,

    resolved(type, name, id) {
      if (precondition?.type === type && precondition.id === name) precondition.id = id;
    },

    requireGuarded() {
      if (!precondition || precondition.met) return;
      throw new Error(`${context.operationID} takes If-Match and did not write the ${precondition.type} that it addresses.`);
    },

    async create(subject, entity, columns, before) {
      const { table, key } = subject;
      if (precondition) requireMatch(precondition, subject, before ?? null);
      write(subject, insertRow(table, { ...key, ...columns }), null, entity);
      const entry = entries.at(-1);
      if (entry && before?.version === 0) entry.defaults = before;
      return entity;
    },

    async replace(subject, before, after, columns, reason) {
      const { table, key } = subject;
      if (precondition) requireMatch(precondition, subject, before);
      write(subject, updateRow(table, { ...key, version: before.version }, columns), before, after, reason);
      return after;
    },

    async delete(subject, before, reason) {
      const { table, key } = subject;
      if (precondition) requireMatch(precondition, subject, before);
      write(subject, deleteRow(table, { ...key, version: before.version }), before, null, reason);
    },

    async ensure(subject, entity, columns) {
      const { table, key } = subject;
      const insertion = Prisma.sql`${insertRow(table, { ...key, ...columns })} on conflict do nothing`;
      const count = await db.$executeRaw`${logged(subject, insertion, null, entity)} from written`;
      if (count > 0) enter(subject, null, entity);
      return count > 0;
    },
  };

  /** Defers the statement with its change. If it changes no row, the change has no project, which violates a constraint. */
  function write(subject: Subject, statement: Prisma.Sql, before: Versioned | null, after: Versioned | null, reason?: string): void {
    db.$defer(logged(subject, statement, before, after, reason), (error) => {
      if (isUniqueViolation(error)) return isOfCase(error) ? takenInOtherCase(subject) : taken(subject);
      return isNullViolation(error) ? overtaken(subject) : error;
    });
    enter(subject, before, after);
  }

  function enter({ type, id }: Subject, before: Versioned | null, after: Versioned | null): void {
    entries.push({ type, id, before, after });
  }

  function logged(
    { type, id, key, alongside = [], altersLists = true, movesRuleset }: Subject,
    statement: Prisma.Sql,
    before: Versioned | null,
    after: Versioned | null,
    reason?: string,
  ): Prisma.Sql {
    // A deletion is a version too, so that an entity's changes are numbered without gaps.
    const version = after?.version ?? (before?.version ?? 0) + 1;
    const texts = { before: before && toText(before), after: after && toText(after), reason: joinReasons(context.reason, reason) ?? null };
    // The row's project: a person's is the instance, even in a request to another project.
    const projectID = key.projectID as string;
    const entry = { ...toEntry(context), projectID, entityType: type, entityID: id, version, ...texts, altersLists, movesRuleset };
    return Prisma.sql`
      with written as (${statement} returning "projectID")${withEach(alongside)}
      ${insertEntry(entry, db.auditKey, Prisma.sql`(select "projectID" from written)`)}`;
  }
}

/** The reasons that are given, as one text. */
export function joinReasons(...reasons: (string | undefined)[]): string | undefined {
  return reasons.filter((reason) => reason !== undefined).join(" ") || undefined;
}

function withEach(statements: Prisma.Sql[]): Prisma.Sql {
  const named = statements.map((statement, index) => Prisma.sql`, ${Prisma.raw(`alongside${index}`)} as (${statement})`);
  return named.length > 0 ? Prisma.join(named, " ") : Prisma.empty;
}

function taken({ type, id, name, key }: Subject): AppError {
  return conflict(`${title(type)} ${name ?? id} already exists.`, name === undefined && "id" in key ? "id" : "name");
}

function takenInOtherCase({ type, id, name = id, key }: Subject): AppError {
  const message = `${title(type)} ${name} already exists. Names that differ only in upper and lower case count as the same.`;
  return conflict(message, name === id && !("name" in key) ? "id" : "name");
}

/** The error for a write that is based on an outdated version. */
function overtaken({ type, id }: Subject): AppError {
  const { name, was } = subjectOf({ entityType: type, entityID: id });
  const again = `Read ${was === "was" ? "it" : "them"} again.`;
  return conflict(`${capitalized(name)} ${was} changed by another request at the same time. ${again}`, "version");
}
