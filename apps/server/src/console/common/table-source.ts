import type { Schema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";

/** The origin of a source's rows: a table, or a query. */
export type Origin = Pick<Schema<"MetricSource">, "sourceType" | "tableName" | "sql">;

/** The defaults of a source with timed rows. */
export const TABLE_SOURCE_DEFAULTS = {
  description: "",
  tags: [],
  timestampAsDay: false,
  sourceType: "query",
  tableName: "",
  customFieldMapping: [],
  isReadOnly: false,
  isVerified: false,
  team: null,
  teamID: null,
} satisfies Partial<Schema<"MetricSource">>;

/** A source needs a table or a query, depending on its type. */
export function checkOrigin({ sourceType, tableName, sql }: Origin, violations: Violation[]): void {
  const isBlank = (text: string) => text.trim() === "";
  if (sourceType === "table" && isBlank(tableName)) {
    violations.push({ property: "tableName", errorMessage: "is required with sourceType table" });
  }
  if (sourceType === "query" && isBlank(sql)) violations.push({ property: "sql", errorMessage: "must not be empty with sourceType query" });
}

/** Rejects names whose paths have another meaning. @param used the meaning of such a path */
export function checkNotReserved(name: string, used: ReadonlyMap<string, string>, violations: Violation[]): void {
  const purpose = used.get(name);
  if (purpose !== undefined) violations.push({ property: "name", errorMessage: `cannot be ${name}, because that path ${purpose}` });
}
