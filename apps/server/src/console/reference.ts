import type * as store from "../store/entities/reference.ts";
import type { ReferableType } from "./slices.ts";

export type { ReferableType };

/** A reference to an entity of a kind that can be referenced. */
export type Reference = store.Reference & { type: ReferableType };

/** A name that entities have, of a reference to such a kind or of a team. */
export type Name = store.Name & { type: ReferableType | "team name" };
