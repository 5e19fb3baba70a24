import { entityID, type NamedType } from "@gatehouse/contract/entity-id";
import { customAlphabet } from "nanoid";
import { invalid, type Violation } from "./errors.ts";

/**
 * The ID of a new entity: the given one, or the one that is derived from the name.
 * @param violations get one if an ID is needed and missing
 * @throws AppError invalid_request for a missing ID, without `violations`
 */
export function newID(type: NamedType, { id, name }: { id?: string | undefined; name: string }, violations?: Violation[]): string {
  const own = id ?? entityID(type, name);
  if (own !== undefined) return own;
  const found = {
    property: "id",
    errorMessage: "is required, because the name has too few letters from a to z and digits to derive an id",
  };
  if (!violations) throw invalid([found]);
  violations.push(found);
  return "";
}

/** A random id for entities whose id is not derived from a name. 22 letters and digits have 131 bits, more than a UUID. */
export const randomID = customAlphabet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 22);
