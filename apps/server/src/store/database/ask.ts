import { Prisma } from "../../generated/prisma/client.ts";
import { type Dialect, postgres } from "../../results/sql/dialect.ts";
import { type Bind, parametersFor } from "../../results/sql/statement.ts";
import type { Db } from "./db.ts";

/** The dialect of the engine that stores events and exposures. */
export function eventDialect(db: Pick<Db, "clickhouse">): Dialect {
  return db.clickhouse?.dialect ?? postgres;
}

/** Writes and runs statements over events and exposures that read few rows. */
export function eventReader(db: Db) {
  const dialect = eventDialect(db);
  return {
    dialect,
    read<Row>(write: (bind: Bind) => string): Promise<Row[]> {
      const bind = parametersFor(dialect);
      const text = write(bind);
      const values = bind.parameters.map(({ value }) => value);
      return db.clickhouse ? db.clickhouse.ask<Row>(text, values) : db.$queryRaw<Row[]>(toSql(text, values));
    },
  };
}

/** A statement with numbered placeholders, `$1`, as one with its values in between. */
function toSql(text: string, values: unknown[]): Prisma.Sql {
  // Every second part is the number of a parameter.
  const parts = text.split(postgres.placeholder);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const given = parts.filter((_, index) => index % 2 === 1).map((number) => values[Number(number) - 1]);
  return new Prisma.Sql(texts, given);
}
