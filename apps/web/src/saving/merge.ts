// Three versions of an entity: what a draft began from, the draft, and what somebody else saved since. Pure.
import { equal } from "../targeting/equal.ts";

export type Choice = "mine" | "theirs";
export type Conflict<Values> = { field: keyof Values & string; before: unknown; mine: unknown; theirs: unknown };

/** The fields that both changed, each to something else. */
export function findConflicts<Values extends object>(base: Values, mine: Values, theirs: Values): Conflict<Values>[] {
  return (Object.keys(mine) as (keyof Values & string)[])
    .filter((field) => !equal(mine[field], base[field]) && !equal(theirs[field], base[field]) && !equal(mine[field], theirs[field]))
    .map((field) => ({ field, before: base[field], mine: mine[field], theirs: theirs[field] }));
}

/** What one of them changed keeps that change. Where both did, the choice decides. */
export function merge<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
  choices: Partial<Record<keyof Values, Choice>>,
): Values {
  const merged = Object.keys(mine).map((name) => {
    const field = name as keyof Values;
    const isMine = equal(theirs[field], base[field]) || (!equal(mine[field], base[field]) && choices[field] === "mine");
    return [field, isMine ? mine[field] : theirs[field]];
  });
  return Object.fromEntries(merged) as Values;
}
