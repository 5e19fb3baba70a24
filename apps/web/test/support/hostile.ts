import { rule } from "./gates.ts";
import type { Made } from "./kind.ts";

export const MARKUP = '<img src="/stolen" onerror="alert(1)"><script>alert(2)</script>';
/** Overrides the direction of the following text, and never ends. */
export const REVERSED = "\u202Ereversed\u2067";
export const LONG = "W".repeat(1_000);

/** A hundred characters: markup, a reversed text, and no place to break a line. */
export const NAME = `${MARKUP}${REVERSED}${LONG}`.slice(0, 100);
/** For names that the contract limits to letters. */
export const LETTERS = LONG.slice(0, 100);
export const TEXT = `${MARKUP}\n${REVERSED}\n${LONG}`.slice(0, 1_000);
export const hostileRules = [
  rule(NAME, { conditions: [{ type: "user_id" as const, operator: "any" as const, targetValue: [MARKUP, LONG, REVERSED] }] }),
];

/** A query in the project's warehouse. */
export const hostileSource = {
  ...{ name: NAME, description: TEXT, sql: TEXT, timestampColumn: MARKUP },
  idTypeMapping: [{ serviceUnitID: "userID", column: LONG }],
};

export const titled = ({ id, name }: { id: string; name: string }): Made => ({ id, title: name });
/** Of an entity that has no id but its name. */
export const named = ({ name }: { name: string }): Made => ({ id: name, title: name });
