import { Prisma } from "../generated/prisma/client.ts";
import { type Filter, type FilterValue, invalidFilter, type Operator } from "./parse-filter.ts";

/** The source of an attribute in a query. Texts are not case-sensitive unless they are `exact`. */
export type FilterColumn =
  | { type: "text" | "exact" | "boolean"; sql: Prisma.Sql }
  /** Milliseconds since the epoch. */
  | { type: "time"; sql: Prisma.Sql }
  /** A list of texts. It matches if one of them does. */
  | { type: "any"; where(condition: (column: Prisma.Sql) => Prisma.Sql): Prisma.Sql }
  /** A text with an index for comparisons with `eq`. */
  | { type: "indexed"; sql: Prisma.Sql; equals(value: string): Prisma.Sql };

/** By the name of the attribute, in lower case. */
export type FilterColumns = ReadonlyMap<string, FilterColumn>;

const SIGNS = { gt: ">", ge: ">=", lt: "<", le: "<=" } as const;

/** The condition of a filter. @throws ScimError invalidFilter for attributes and comparisons that are not supported */
export function toCondition(filter: Filter, columns: FilterColumns): Prisma.Sql {
  switch (filter.kind) {
    case "and":
    case "or":
      return Prisma.sql`(${Prisma.join(
        filter.filters.map((one) => toCondition(one, columns)),
        ` ${filter.kind} `,
      )})`;
    case "not":
      return Prisma.sql`not ${toCondition(filter.filter, columns)}`;
    case "present":
      return isPresent(findColumn(filter.attribute, columns));
    case "compare":
      return Prisma.sql`coalesce(${compare(findColumn(filter.attribute, columns), filter)}, false)`;
  }
}

function findColumn(attribute: string, columns: FilterColumns): FilterColumn {
  const column = columns.get(attribute);
  if (!column) throw invalidFilter(`the attribute ${attribute.slice(0, 100)} is not supported`);
  return column;
}

function isPresent(column: FilterColumn): Prisma.Sql {
  if (column.type === "any") return column.where(() => Prisma.sql`true`);
  return column.type === "boolean" || column.type === "time" ? Prisma.sql`true` : Prisma.sql`(coalesce(${column.sql}, '') <> '')`;
}

type Comparison = { attribute: string; operator: Operator; value: FilterValue };

function compare(column: FilterColumn, comparison: Comparison): Prisma.Sql {
  const { operator, value, attribute } = comparison;
  if (value === null) return compareWithNull(column, comparison);
  if (column.type === "boolean") return compareTruth(column.sql, comparison);
  if (typeof value !== "string") throw invalidFilter(`${attribute} must be compared with a text`);
  if (column.type === "time") return compareTime(column.sql, { attribute, operator, value });
  if (column.type === "any") return column.where((one) => compareText(one, operator, value));
  if (column.type === "exact") return compareText(column.sql, operator, value);
  if (column.type === "indexed" && operator === "eq") return column.equals(value);
  return compareText(Prisma.sql`lower(${column.sql})`, operator, value.toLowerCase());
}

function compareWithNull(column: FilterColumn, { operator, attribute }: Comparison): Prisma.Sql {
  if (operator === "eq") return Prisma.sql`not ${isPresent(column)}`;
  if (operator === "ne") return isPresent(column);
  throw invalidFilter(`${attribute} can only be compared with null by eq or ne`);
}

function compareTruth(sql: Prisma.Sql, { attribute, operator, value }: Comparison): Prisma.Sql {
  const text = String(value).toLowerCase();
  if (text !== "true" && text !== "false") throw invalidFilter(`${attribute} must be compared with true or false`);
  if (operator !== "eq" && operator !== "ne") throw invalidFilter(`${attribute} can only be compared by eq or ne`);
  return Prisma.sql`(${sql} = ${(text === "true") === (operator === "eq")})`;
}

function compareTime(sql: Prisma.Sql, { attribute, operator, value }: Comparison & { value: string }): Prisma.Sql {
  const time = Date.parse(value);
  if (!Number.isFinite(time)) throw invalidFilter(`${attribute} must be compared with a time`);
  if (operator === "co" || operator === "sw" || operator === "ew") throw invalidFilter(`${attribute} can't be compared by ${operator}`);
  return Prisma.sql`(${sql} ${toSign(operator)} ${time}::bigint)`;
}

function toSign(operator: "eq" | "ne" | keyof typeof SIGNS): Prisma.Sql {
  return Prisma.raw(operator === "eq" ? "=" : operator === "ne" ? "<>" : SIGNS[operator]);
}

function compareText(column: Prisma.Sql, operator: Operator, value: string): Prisma.Sql {
  switch (operator) {
    case "co":
      return Prisma.sql`(strpos(${column}, ${value}::text) > 0)`;
    case "sw":
      return Prisma.sql`starts_with(${column}, ${value}::text)`;
    case "ew":
      return Prisma.sql`(right(${column}, length(${value}::text)) = ${value}::text)`;
    case "ne":
      return Prisma.sql`(${column} is distinct from ${value}::text)`;
    default:
      return Prisma.sql`(${column} ${toSign(operator)} ${value}::text)`;
  }
}
