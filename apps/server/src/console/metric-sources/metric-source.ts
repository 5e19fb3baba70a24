import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { invalid, type Violation } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { namedInIdTypeMapping, toIdTypeMapping } from "../common/id-type-mapping.ts";
import { namedLabels } from "../common/named.ts";
import { checkPathName } from "../common/path-name.ts";
import { created, modified } from "../common/stamp.ts";

export type MetricSource = Schema<"MetricSource">;
type MetricSourceCreate = WritableSchema<"MetricSourceCreate">;
type MetricSourceUpdate = WritableSchema<"MetricSourceUpdate">;

const DEFAULTS = {
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
} satisfies Partial<MetricSource>;

/** Creates a metric source. @throws AppError invalid_request with every violation */
export function newMetricSource({ dryRun, ...given }: MetricSourceCreate, context: Context): MetricSource {
  const violations: Violation[] = [];
  checkName(given.name, violations);
  const source = {
    ...DEFAULTS,
    ...created(context),
    ...given,
    idTypeMapping: toIdTypeMapping(given.idTypeMapping, violations),
  };
  checkOrigin(source, violations);
  if (violations.length > 0) throw invalid(violations);
  return source;
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeMetricSource(source: MetricSource, { dryRun, name, ...given }: MetricSourceUpdate, context: Context): MetricSource {
  const violations: Violation[] = [];
  if (name !== undefined && name !== source.name) violations.push({ property: "name", errorMessage: "cannot be changed" });
  const changed = {
    ...source,
    ...given,
    idTypeMapping: toIdTypeMapping(given.idTypeMapping, violations),
    ...modified(source, context),
  };
  checkOrigin(changed, violations);
  if (violations.length > 0) throw invalid(violations);
  return changed;
}

/** The source's references. */
export function namedByMetricSource({ tags, teamID, idTypeMapping }: MetricSource): Reference[] {
  return [...namedLabels({ tags, teamID }), ...namedInIdTypeMapping(idTypeMapping)];
}

function checkName(name: string, violations: Violation[]): void {
  checkPathName(name, violations);
  const used = { list: "lists the metric sources", preview: "previews one" }[name];
  if (used) violations.push({ property: "name", errorMessage: `cannot be ${name}, because that path ${used}` });
}

/** A source needs a table or a query, depending on its type. */
export function checkOrigin(
  { sourceType, tableName, sql }: Pick<MetricSource, "sourceType" | "tableName" | "sql">,
  violations: Violation[],
): void {
  const isBlank = (text: string) => text.trim() === "";
  if (sourceType === "table" && isBlank(tableName)) {
    violations.push({ property: "tableName", errorMessage: "is required with sourceType table" });
  }
  if (sourceType === "query" && isBlank(sql)) violations.push({ property: "sql", errorMessage: "must not be empty with sourceType query" });
}
