import { AppError } from "../errors.ts";
import { entityTag, namesTag, type Versioned } from "./entity-tag.ts";
import { words } from "./words.ts";

/** What an operation is about: the kind of entity, and the parameter of its path that names it; undefined where there is one of the kind. */
export type Addressed = { type: string; parameter: string | undefined };

/** The If-Match of a request, and the entity that it is about: the one that the request addresses. */
export type Precondition = {
  ifMatch: string;
  type: string;
  /** As the request names it; undefined where there is one of its type. */
  id: string | undefined;
  met: boolean;
};

/** @throws AppError precondition_failed unless If-Match names the entity as it stood before the write, if it is the one addressed. */
export function requireMatch(precondition: Precondition, { type, id }: { type: string; id: string }, before: Versioned | null): void {
  if (precondition.met || type !== precondition.type || id !== (precondition.id ?? id)) return;
  if (!before || !namesTag(precondition.ifMatch, entityTag(before))) {
    const state = before ? `is at version ${before.version}, which If-Match does not name` : "did not exist, so no If-Match can name it";
    throw new AppError("precondition_failed", `The ${words(type)} ${id} ${state}. Read it again.`);
  }
  precondition.met = true;
}
