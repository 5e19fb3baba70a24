import { AppError } from "../../common/errors.ts";
import { capitalized, subjectOf } from "../../common/words.ts";
import { entityTag, namesTag, type Versioned } from "./entity-tag.ts";

/**
 * The entity that an operation addresses: its type, and the path parameter with its id. Undefined if a project has only one of the type.
 */
export type Addressed = { type: string; parameter: string | undefined };

/** The If-Match of a request, and the entity that the request addresses. */
export type Precondition = {
  ifMatch: string;
  type: string;
  /** The id in the request's path; undefined if a project has only one of the type. */
  id: string | undefined;
  met: boolean;
};

/**
 * Compares If-Match if the entity is the addressed one. @throws AppError precondition_failed if it does not match the state before the
 * write
 */
export function requireMatch(precondition: Precondition, { type, id }: { type: string; id: string }, before: Versioned | null): void {
  if (precondition.met || type !== precondition.type || id !== (precondition.id ?? id)) return;
  if (!before || !namesTag(precondition.ifMatch, entityTag(before))) {
    const { name, is } = subjectOf({ entityType: type, entityID: id });
    const state = before
      ? `${is} at version ${before.version}, which does not match If-Match`
      : "did not exist, so no If-Match can match it";
    throw new AppError("precondition_failed", `${capitalized(name)} ${state}. Read ${is === "is" ? "it" : "them"} again.`);
  }
  precondition.met = true;
}
