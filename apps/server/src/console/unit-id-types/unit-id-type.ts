import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { conflict, invalid, type Violation } from "../../common/errors.ts";
import { CORE_UNIT_ID_TYPES } from "../common/named.ts";
import { checkPathName } from "../common/path-name.ts";
import { created, modified } from "../common/stamp.ts";

export type UnitIDType = Schema<"UnitIDType">;
type UnitIDTypeCreate = WritableSchema<"UnitIDTypeCreate">;
type UnitIDTypePatch = WritableSchema<"UnitIDTypePatch">;

/** Creates a type. Its name is its id. @throws AppError invalid_request, at `place`, if the name cannot be in a URL's path */
export function newUnitIDType({ name, description = "" }: UnitIDTypeCreate, context: Context, place = "name"): UnitIDType {
  const violations: Violation[] = [];
  checkPathName(name, violations, place);
  if (violations.length > 0) throw invalid(violations);
  return { id: name, name, description, ...created(context) };
}

/** The type with the given fields changed. @throws AppError invalid_request if the name would change */
export function changeUnitIDType(type: UnitIDType, { name = type.name, ...given }: UnitIDTypePatch, context: Context): UnitIDType {
  if (name !== type.name) throw invalid([{ property: "name", errorMessage: "cannot be changed" }]);
  return { ...type, ...given, ...modified(type, context) };
}

/** @throws AppError conflict for a type that every project has */
export function requireDeletable({ name }: UnitIDType): void {
  if (CORE_UNIT_ID_TYPES.includes(name)) throw conflict(`Every project has the unit ID type ${name}: it cannot be deleted.`, "name");
}
