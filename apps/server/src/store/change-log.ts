import type { Context } from "../context.ts";
import { type AppError, conflict } from "../errors.ts";
import { Prisma } from "../generated/prisma/client.ts";
import { isNullViolation, isUniqueViolation } from "./database-errors.ts";
import type { Versioned } from "./entity-tag.ts";
import { toText } from "./entity-text.ts";
import { type Precondition, requireMatch } from "./precondition.ts";
import { deleteRow, insertRow, type Row, updateRow } from "./row.ts";
import type { Table } from "./table.ts";
import type { Db } from "./unit-of-work.ts";
import { title } from "./words.ts";

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
  /** Whether a list may find something else after the write; true if not given. */
  altersLists?: boolean;
  /** Whether the project's ruleset may be different after the write, or what a key sees of it. */
  movesRuleset: boolean;
};

/**
 * The way in which stores write: each row and its row in the change log are one statement, so that there is no write without its
 * change. A write is guarded by the version that it was decided on. It is sent with the next statement or the commit, which fail if it does.
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
  /** An entity is there by another name than its id, by which the request may address it. */
  resolved(type: string, name: string, id: string): void;
  /** @throws if the request has an If-Match that was not compared, since no write was of the entity that it addresses */
  requireGuarded(): void;
  /** What was written so far. */
  readonly entries: readonly Entry[];
};

/** One write: the entity as it was and as it is, null where there is none. */
export type Entry = { type: string; id: string; before: Versioned | null; after: Versioned | null };

/** @throws AppError precondition_failed, from the write of the entity that the request addresses, when If-Match names another version */
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
    },
  };

  /** Defers the statement with its change. It must touch its row: a change of no row has no project, which the table refuses. */
  function write(subject: Subject, statement: Prisma.Sql, before: Versioned | null, after: Versioned | null, reason?: string): void {
    db.$defer(logged(subject, statement, before, after, reason), (error) => {
      if (isUniqueViolation(error)) return taken(subject);
      return isNullViolation(error) ? overtaken(subject) : error;
    });
    enter(subject, before, after);
  }

  function enter({ type, id }: Subject, before: Versioned | null, after: Versioned | null): void {
    entries.push({ type, id, before, after });
  }

  function logged(
    { type, id, alongside = [], altersLists = true, movesRuleset }: Subject,
    statement: Prisma.Sql,
    before: Versioned | null,
    after: Versioned | null,
    reason?: string,
  ): Prisma.Sql {
    const { actor, operationID, now } = context;
    // A delete is a version too, so that an entity's changes count up without a gap.
    const version = after?.version ?? (before?.version ?? 0) + 1;
    return Prisma.sql`
      with written as (${statement} returning "projectID")${withEach(alongside)}
      insert into change
        ("projectID", "time", "actorID", "actorName", "operationID", "entityType", "entityID", "version", "reason", "before", "after",
         "altersLists", "movesRuleset")
      select (select "projectID" from written), ${now}, ${actor.id}, ${actor.name}, ${operationID}, ${type}, ${id}, ${version}, ${reason ?? null},
             ${before && toText(before)}, ${after && toText(after)},
             ${altersLists}, ${movesRuleset}`;
  }
}

function withEach(statements: Prisma.Sql[]): Prisma.Sql {
  const named = statements.map((statement, index) => Prisma.sql`, ${Prisma.raw(`alongside${index}`)} as (${statement})`);
  return named.length > 0 ? Prisma.join(named, " ") : Prisma.empty;
}

function taken({ type, id, name, key }: Subject): AppError {
  return conflict(`${title(type)} ${name ?? id} already exists.`, name === undefined && "id" in key ? "id" : "name");
}

/** Answered to who wrote on the grounds of a version that is no longer there. */
function overtaken({ type, id }: Subject): AppError {
  return conflict(`${title(type)} ${id} was changed by another request at the same time. Read it again.`, "version");
}
