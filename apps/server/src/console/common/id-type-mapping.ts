import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Violation } from "../../common/errors.ts";
import type { Reference } from "../reference.ts";
import { namedUnit } from "./named.ts";

type IdTypeMapping = Schema<"IdTypeMapping">;

/** The columns of unit ID types, each under both of its names. */
export function toIdTypeMapping(given: WritableSchema<"IdTypeMappingGiven">[], violations: Violation[]): IdTypeMapping[] {
  return given.map(({ serviceUnitID, statsigUnitID, column }, index) => {
    const refuse = (property: string, errorMessage: string) =>
      violations.push({ property: `idTypeMapping[${index}].${property}`, errorMessage });
    const unitID = serviceUnitID ?? statsigUnitID;
    if (unitID === undefined) refuse("serviceUnitID", "is required");
    if (statsigUnitID !== undefined && statsigUnitID !== unitID) refuse("statsigUnitID", "must equal serviceUnitID where both are given");
    return { serviceUnitID: unitID ?? "", statsigUnitID: unitID ?? "", column };
  });
}

/** The references to unit ID types. */
export function namedInIdTypeMapping(mapping: readonly IdTypeMapping[]): Reference[] {
  return mapping.flatMap(({ serviceUnitID }, index) => namedUnit(serviceUnitID, `idTypeMapping[${index}].serviceUnitID`));
}
