import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { changeRowSource, checkQuery, newRowSource } from "../common/row-source.ts";

export type EntityPropertySource = Schema<"EntityPropertySource">;
type EntityPropertySourceCreate = WritableSchema<"EntityPropertySourceCreate">;
type EntityPropertySourcePatch = WritableSchema<"EntityPropertySourcePatch">;

const DEFAULTS = {
  description: "",
  tags: [],
  timestampColumn: "",
  timestampAsDay: false,
  isReadOnly: false,
  team: null,
  teamID: null,
} satisfies Partial<EntityPropertySource>;

/** Creates an entity property source. @throws AppError invalid_request with every violation */
export function newEntityPropertySource({ dryRun, ...given }: EntityPropertySourceCreate, context: Context): EntityPropertySource {
  return newRowSource(DEFAULTS, given, checkQuery, context);
}

/** The source with the given fields changed. @throws AppError invalid_request with every violation */
export function changeEntityPropertySource(
  source: EntityPropertySource,
  { dryRun, ...given }: EntityPropertySourcePatch,
  context: Context,
): EntityPropertySource {
  return changeRowSource(source, given, checkQuery, context);
}
