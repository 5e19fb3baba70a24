import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { changeRowSource, checkQuery, newRowSource } from "../common/row-source.ts";

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
  return newRowSource(DEFAULTS, given, checkQuery, context);
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeAssignmentSource(
  source: AssignmentSource,
  { dryRun, ...given }: AssignmentSourcePatch,
  context: Context,
): AssignmentSource {
  return changeRowSource(source, given, checkQuery, context);
}
