import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import type { Reference } from "../reference.ts";
import { namedInIdTypeMapping, toIdTypeMapping } from "./id-type-mapping.ts";
import { namedLabels } from "./named.ts";
import { checkPathName } from "./path-name.ts";
import { created, modified } from "./stamp.ts";

type UnitsInput = WritableSchema<"IdTypeMappingGiven">[];

/** The fields of every source of rows, for any kind of rows. */
type RowSource = { name: string; idTypeMapping: Schema<"IdTypeMapping">[] } & Pick<Schema<"MetricSource">, "version" | "createdTime">;

type Check<Source> = (source: Source, violations: Violation[]) => void;

/**
 * Creates a source.
 * @param check collects faults beyond the name and the units
 * @throws AppError invalid_request with every violation
 */
export function newRowSource<Defaults extends object, Given extends { name: string; idTypeMapping: UnitsInput }>(
  defaults: Defaults,
  given: Given,
  check: Check<Defaults & Given>,
  context: Context,
) {
  const violations: Violation[] = [];
  checkPathName(given.name, violations);
  const source = {
    ...defaults,
    ...created(context),
    ...given,
    idTypeMapping: toIdTypeMapping(given.idTypeMapping, violations),
  };
  check(source, violations);
  if (violations.length > 0) throw invalid(violations);
  return source;
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeRowSource<Source extends RowSource>(
  source: Source,
  { name, idTypeMapping, ...given }: Partial<Omit<Source, "name" | "idTypeMapping">> & { name?: string; idTypeMapping?: UnitsInput },
  check: Check<Source>,
  context: Context,
): Source {
  const violations: Violation[] = [];
  if (name !== undefined && name !== source.name) violations.push({ property: "name", errorMessage: "cannot be changed" });
  const changed = {
    ...source,
    ...given,
    ...(idTypeMapping && { idTypeMapping: toIdTypeMapping(idTypeMapping, violations) }),
    ...modified(source, context),
  };
  check(changed, violations);
  if (violations.length > 0) throw invalid(violations);
  return changed;
}

/** The references of a source. */
export function namedByRowSource({
  tags,
  teamID,
  idTypeMapping,
}: Pick<Schema<"MetricSource">, "tags" | "teamID" | "idTypeMapping">): Reference[] {
  return [...namedLabels({ tags, teamID }), ...namedInIdTypeMapping(idTypeMapping)];
}

export function checkQuery({ sql }: { sql: string }, violations: Violation[]): void {
  if (sql.trim() === "") violations.push({ property: "sql", errorMessage: "must not be empty" });
}
