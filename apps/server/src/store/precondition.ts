import { AppError } from "../errors.ts";
import { entityTag, namesTag, type Versioned } from "./entity-tag.ts";
import { words } from "./words.ts";

/** The If-Match of a request. It is about the entity that the request addresses: the first that its transaction changes. */
export type Precondition = { ifMatch: string; met: boolean };

/** @throws AppError precondition_failed unless If-Match names the entity as it stood before the write. */
export function requireMatch(precondition: Precondition, { type, id }: { type: string; id: string }, before: Versioned | null): void {
  if (precondition.met) return;
  if (!before || !namesTag(precondition.ifMatch, entityTag(before))) {
    const state = before ? `is at version ${before.version}, which If-Match does not name` : "did not exist, so no If-Match can name it";
    throw new AppError("precondition_failed", `The ${words(type)} ${id} ${state}. Read it again.`);
  }
  precondition.met = true;
}
