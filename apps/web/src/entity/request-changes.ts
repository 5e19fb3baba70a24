// Changes of several entities by one request, which lists show as one row. Pure.
import { entityNoun } from "../kinds/kinds.ts";
import { formatNumber } from "../ui/number-text.ts";

type Made = {
  actorID: string;
  time: number;
  requestID: string | null;
  reason: string | null;
};

/**
 * Identifies the request that made a change. Callers can send the same ID with several requests, so the time counts as well. Changes that the
 * server made itself, such as scheduled ones, have a time and a reason in common.
 */
export const requestKey = ({ actorID, time, requestID, reason }: Made): string =>
  JSON.stringify([actorID, time, requestID ?? null, requestID == null ? reason : null]);

/**
 * Successive changes in rows: those of one request are one row if they are of several entities. Every other change is a row of its own.
 * @param requestOf undefined for an entry that belongs to no row with others
 * @param entityOf identifies the entity
 */
export function byRequest<T>(
  changes: readonly T[],
  requestOf: (change: T) => string | undefined,
  entityOf: (change: T) => string,
): [T, ...T[]][] {
  const runs: [T, ...T[]][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    const request = requestOf(change);
    if (run && request !== undefined && requestOf(run[0]) === request) run.push(change);
    else runs.push([change]);
  }
  return runs.flatMap((run) => (new Set(run.map(entityOf)).size > 1 ? [run] : run.map((change): [T] => [change])));
}

/** What a change did to an entity, such as `disabled` in a place, such as `in staging`. */
export type Deed = { deed: string; place: string; type: string; id: string };

/** Changes of one deed, with the newest or most important one of each entity, by type. */
export type Clause<T> = { deed: string; place: string; items: [T, ...T[]][] };

/**
 * What a request did, for a sentence: `created 12 gates and 3 segments`. Each entity counts once. One that was created and then changed counts as
 * created.
 * @param changes newest first
 */
export function clausesOf<T>(changes: readonly T[], deedOf: (change: T) => Deed): Clause<T>[] {
  const entities = new Map<string, T>();
  for (const change of changes.toReversed()) {
    const { type, id, deed } = deedOf(change);
    const key = JSON.stringify([type, id]);
    const earlier = entities.get(key);
    if (earlier !== undefined && deedOf(earlier).deed === "created" && deed !== "deleted") continue;
    entities.set(key, change);
  }
  return groups([...entities.values()], (change) => JSON.stringify([deedOf(change).deed, deedOf(change).place])).map((alike) => {
    const { deed, place } = deedOf(alike[0]);
    return {
      deed: alike.length > 1 ? deed.replace("a version", "versions") : deed,
      place,
      items: groups(alike, (one) => deedOf(one).type),
    };
  });
}

function groups<T>(all: readonly T[], keyOf: (one: T) => string): [T, ...T[]][] {
  const found = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const group = found.get(keyOf(one));
    if (group) group.push(one);
    else found.set(keyOf(one), [one]);
  }
  return [...found.values()];
}

const plural = (noun: string): string =>
  noun === "person" ? "people" : noun.endsWith("s") ? noun : `${noun.replace(/([^aeiou])y$/, "$1ie")}s`;

/** Several entities of a type: `12 gates`, `overrides of 3 gates`. */
export function countedEntities(type: string, count: number): string {
  const noun = entityNoun(type);
  const [, part, whole] = /^(.+ of) the (.+)$/.exec(noun) ?? [];
  return part === undefined || whole === undefined
    ? `${formatNumber(count)} ${plural(noun)}`
    : `${part} ${formatNumber(count)} ${plural(whole)}`;
}

/** The text before an item of a list in a sentence. @param isLong whether items have lists in them */
export function separator(index: number, count: number, isLong = false): string {
  if (index === 0) return "";
  if (index < count - 1) return ", ";
  return count === 2 && !isLong ? " and " : ", and ";
}
