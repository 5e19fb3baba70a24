import type { Schema } from "@gatehouse/contract/scim";
import { AppError } from "../common/errors.ts";

/** The kind of an error, for identity providers. */
export type ScimType = NonNullable<Schema<"ScimError">["scimType"]>;

type Code = "invalid_request" | "conflict" | "not_found";

/** An error in the content of the request, or a conflict with the state of the server. Repeating the request doesn't help. SCIM has no list of violations. */
export class ScimError extends AppError {
  readonly scimType: ScimType | undefined;

  constructor(code: Code, message: string, scimType?: ScimType) {
    super(code as Exclude<Code, "conflict">, message);
    this.scimType = scimType;
  }
}

export function refuse(scimType: Exclude<ScimType, "uniqueness">, message: string): ScimError {
  return new ScimError("invalid_request", message, scimType);
}

export function taken(message: string): ScimError {
  return new ScimError("conflict", message, "uniqueness");
}

export function missing(resourceType: "User" | "Group" | "Resource type" | "Schema", id: string): ScimError {
  return new ScimError("not_found", `${resourceType} ${id} does not exist.`);
}
