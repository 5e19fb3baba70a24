import type { Schema, WritableSchema } from "@gatehouse/contract/console";
import type { Context } from "../../common/context.ts";
import { invalid, type Violation } from "../../common/errors.ts";
import { checkPathName } from "../common/path-name.ts";
import { overridden } from "../common/stamp.ts";

/** The description of an attribute of users, and whether it is suggested. */
export type Attribute = Schema<"Attribute">;
type AttributeUpdate = WritableSchema<"AttributeUpdate">;

/** An attribute before anyone has described or hidden it. */
export function undescribed(id: string): Attribute {
  return { id, description: "", isHidden: false, version: 0, createdTime: 0 };
}

/** @throws AppError invalid_request if the name is not valid Unicode */
export function describe(attribute: Attribute, { description, isHidden }: AttributeUpdate, context: Context): Attribute {
  const violations: Violation[] = [];
  checkPathName(attribute.id, violations, "id");
  if (violations.length > 0) throw invalid(violations);
  return { id: attribute.id, description, isHidden, ...overridden(attribute, context) };
}
