import { isDeepStrictEqual } from "node:util";
import { subjectOf } from "../common/words.ts";
import { type Effect, entityKey } from "../console/scheduled-changes/scheduled-change.ts";

type Change = Effect["changes"][number];
type Field = Change["fields"][number];
type Part = Record<string, unknown>;

/** An id that the server makes. */
export const RANDOM_ID = /^[0-9A-Za-z]{22}$/;

/** How many differences an error names, and the longest value that it shows. */
const [MAX_NAMED, MAX_SHOWN] = [3, 60];

/**
 * The fields that have, or would get, other values than when the request was stored: `environments[1].name was "staging" and is now "beta"`.
 * Empty if none differs.
 */
export function describeDifferences(expected: readonly Change[], actual: readonly Change[]): string {
  const before = new Map(expected.map((one) => [entityKey(one), one]));
  const byEntity = actual.flatMap((one) => {
    const known = before.get(entityKey(one));
    const differences = known ? compareFields(known.fields, one.fields) : [];
    return differences.length > 0 ? [{ owner: subjectOf(one).name, differences }] : [];
  });
  const owned = ({ owner, differences }: (typeof byEntity)[number]) => differences.map((one) => `in ${owner}, ${one}`);
  const differences = byEntity.flatMap((one) => (byEntity.length > 1 ? owned(one) : one.differences));
  if (differences.length <= MAX_NAMED) return differences.join("; ");
  return `${differences.slice(0, MAX_NAMED).join("; ")}; and ${differences.length - MAX_NAMED} more`;
}

function compareFields(expected: readonly Field[], actual: readonly Field[]): string[] {
  const [was, is] = [byName(expected), byName(actual)];
  const found = actual.flatMap((one) => {
    const known = was.get(one.field);
    if (!known) return [`${one.field} is now ${show(one.before)} and would become ${show(one.after)}`];
    const moved = compareValues(one.field, known.before, one.before);
    if (moved.length > 0 || isDeepStrictEqual(one.after, known.after)) return moved;
    return [`${one.field} would become ${show(one.after)}, not ${show(known.after)}`];
  });
  const done = expected.filter(({ field }) => !is.has(field)).map(({ field, after }) => `${field} is already ${show(after)}`);
  return [...found, ...done];
}

const byName = (fields: readonly Field[]) => new Map(fields.map((one) => [one.field, one]));

/** The differences between two values. The parts of lists are compared by their IDs, so that one that is new moves no other. */
function compareValues(place: string, was: unknown, is: unknown): string[] {
  if (isDeepStrictEqual(was, is) || (isRandomID(was) && isRandomID(is))) return [];
  if (isPart(was) && isPart(is)) {
    const names = new Set([...Object.keys(was), ...Object.keys(is)]);
    return [...names].flatMap((name) => compareValues(`${place}.${name}`, was[name], is[name]));
  }
  if (!areParts(was) || !areParts(is)) return [`${place} was ${show(was)} and is now ${show(is)}`];
  const now = new Map(is.map((one) => [one.id, one]));
  const known = new Set(was.map(({ id }) => id));
  const kept = was.flatMap((one, index) => {
    const found = now.get(one.id);
    return found ? compareValues(`${place}[${index}]`, one, found) : [`${place}[${index}] was removed: ${show(one.name ?? one.id)}`];
  });
  const added = is.filter(({ id }) => !known.has(id)).map((one) => `${show(one.name ?? one.id)} was added to ${place}`);
  const all = [...kept, ...added];
  return all.length > 0 ? all : [`${place} is in a different order`];
}

/** Says nothing to people. */
const isRandomID = (value: unknown) => typeof value === "string" && RANDOM_ID.test(value);
const isPart = (value: unknown): value is Part => typeof value === "object" && value !== null && !Array.isArray(value);
const areParts = (value: unknown): value is Part[] =>
  Array.isArray(value) && value.every((one) => isPart(one) && typeof one.id === "string");

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? "null";
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN - 1)}…` : text;
}
