import { Prisma } from "../../generated/prisma/client.ts";
import type { Db } from "../database/db.ts";

/** An entity whose row is read ahead. */
export type Subject = { type: string; id: string };

/**
 * Rows that the next requests of a batch will read, read together in one round trip. Later writes of another transaction are found when the
 * entity is written, as after any read.
 */
export type ReadAhead = {
  /** Reads with statements that `find` sends for each subject. Forgets earlier reads. */
  read(subjects: Subject[], find: (db: Db, subject: Subject) => Promise<unknown>): Promise<void>;
  /** The transaction for one request, which gets a known row without asking until it writes. */
  forRequest(): Db;
  /** Forgets the rows that a request has written. */
  forget(written: readonly Subject[]): void;
};

export function createReadAhead(db: Db): ReadAhead {
  const known = new Map<string, { subject: Subject; rows: unknown }>();
  return {
    async read(subjects, find) {
      known.clear();
      const each = subjects.map(async (subject) => {
        const remember = async <Rows>(...statement: Statement): Promise<Rows> => {
          const rows = await db.$queryRaw<Rows>(...statement);
          known.set(statementKey(statement), { subject, rows });
          return rows;
        };
        await find({ ...db, $queryRaw: remember }, subject);
      });
      await Promise.all(each);
    },

    forRequest() {
      let hasWritten = false;
      return {
        ...db,
        async $queryRaw<Rows>(...statement: Statement): Promise<Rows> {
          const found = hasWritten || known.size === 0 ? undefined : known.get(statementKey(statement));
          return found ? (found.rows as Rows) : db.$queryRaw<Rows>(...statement);
        },
        $executeRaw(...statement) {
          hasWritten = true;
          return db.$executeRaw(...statement);
        },
        $defer(statement, explain) {
          hasWritten = true;
          db.$defer(statement, explain);
        },
      };
    },

    forget(written) {
      const subjects = new Set(written.map(subjectKey));
      for (const [text, { subject }] of known) if (subjects.has(subjectKey(subject))) known.delete(text);
    },
  };
}

type Statement = Parameters<Db["$queryRaw"]>;

function subjectKey({ type, id }: Subject): string {
  return `${type} ${id}`;
}

/** Equal for equal statements alone. */
function statementKey([text, ...values]: Statement): string {
  const statement = text instanceof Prisma.Sql ? text : Prisma.sql(text as TemplateStringsArray, ...values);
  return [statement.sql, ...statement.values.map((value) => `${typeof value} ${value}`)].join("\0");
}
