import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../context.ts";
import { invalid, type Violation } from "../../errors.ts";
import type { Reference } from "../../reference.ts";
import { namedInIdTypeMapping, toIdTypeMapping } from "../common/id-type-mapping.ts";
import { namedLabels } from "../common/named.ts";
import { checkPathName } from "../common/path-name.ts";
import { created, modified } from "../common/stamp.ts";

export type AssignmentSource = Schema<"AssignmentSource">;
type AssignmentSourceCreate = WritableSchema<"AssignmentSourceCreate">;
type AssignmentSourcePatch = WritableSchema<"AssignmentSourcePatch">;

const DEFAULTS = {
  description: "",
  tags: [],
  isReadOnly: false,
  isVerified: false,
  team: null,
  teamID: null,
} satisfies Partial<AssignmentSource>;

/** Creates an assignment source. @throws AppError invalid_request with every violation */
export function newAssignmentSource({ dryRun, ...given }: AssignmentSourceCreate, context: Context): AssignmentSource {
  const violations: Violation[] = [];
  checkPathName(given.name, violations);
  const source = {
    ...DEFAULTS,
    ...created(context),
    ...given,
    idTypeMapping: toIdTypeMapping(given.idTypeMapping, violations),
  };
  checkQuery(source, violations);
  if (violations.length > 0) throw invalid(violations);
  return source;
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeAssignmentSource(
  source: AssignmentSource,
  { dryRun, name, idTypeMapping, ...given }: AssignmentSourcePatch,
  context: Context,
): AssignmentSource {
  const violations: Violation[] = [];
  if (name !== undefined && name !== source.name) violations.push({ property: "name", errorMessage: "cannot be changed" });
  const changed = {
    ...source,
    ...given,
    ...(idTypeMapping && { idTypeMapping: toIdTypeMapping(idTypeMapping, violations) }),
    ...modified(source, context),
  };
  checkQuery(changed, violations);
  if (violations.length > 0) throw invalid(violations);
  return changed;
}

/** The source's references. */
export function namedByAssignmentSource({ tags, teamID, idTypeMapping }: AssignmentSource): Reference[] {
  return [...namedLabels({ tags, teamID }), ...namedInIdTypeMapping(idTypeMapping)];
}

export function checkQuery({ sql }: Pick<AssignmentSource, "sql">, violations: Violation[]): void {
  if (sql.trim() === "") violations.push({ property: "sql", errorMessage: "must not be empty" });
}
