import { isDeepStrictEqual } from "node:util";
import { conflict } from "../common/errors.ts";
import { subjectOf } from "../common/words.ts";
import { type Effect, entityKey } from "../console/scheduled-changes/scheduled-change.ts";
import type { Entry } from "../store/change-log/change-log.ts";
import { entityChanges } from "../store/entities/entity-changes.ts";
import { describeDifferences, RANDOM_ID } from "./differing-fields.ts";

/** The effect of a request's writes, as it is stored. Its entities exist, or the request creates them. */
export function toEffect(entries: readonly Entry[]): Effect {
  const first = new Map<string, Entry>();
  for (const entry of entries) {
    const key = `${entry.type} ${entry.id}`;
    if (!first.has(key)) first.set(key, entry);
  }
  // A release that the request starts gets another id when it is executed.
  const entities = [...first.values()]
    .filter(({ type, before }) => type !== "release" || before !== null)
    .map(({ type, id, before }) => ({ entityType: type, entityID: id, version: before?.version ?? null }));
  return JSON.parse(JSON.stringify({ entities, changes: entityChanges(entries) }));
}

/** An effect, when it was computed, ms since the epoch, and the request that has it. */
type Computed = { effect: Effect; now: number };

/** How many entities an error names. */
const MAX_NAMED = 3;

/**
 * Compares the effect that a request has now with the one that it had when it was stored. If the entities have the versions that were
 * expected, it is the same. Otherwise the changes must be the same field by field, except for ids and times that the server makes.
 * @throws AppError conflict that says what moved
 */
export function requireSameEffect(expected: Computed, actual: Computed, participle: "scheduled" | "approved"): void {
  const [was, is] = [comparable(expected), comparable(actual)];
  if (isDeepStrictEqual(was.entities, is.entities) || isDeepStrictEqual(was.changes, is.changes)) return;
  const moved = listMoved(was.entities, is.entities);
  const named = moved.slice(0, MAX_NAMED).join(", ");
  const more = moved.length > MAX_NAMED ? `, and ${moved.length - MAX_NAMED} more entities differ` : "";
  const fields = describeDifferences(was.changes, is.changes);
  const parts = [`The change would no longer have the effect that was ${participle}: ${named}${more}.`];
  if (fields !== "") parts.push(`Differences: ${fields}.`);
  if (participle === "scheduled") parts.push("If it is still needed, schedule it again.");
  throw conflict(parts.join(" "), "entities");
}

/**
 * Compares what an occurrence of an approved repeating change does with what was approved. The values that it finds may be others, but not
 * those that it leaves.
 * @throws AppError conflict that names what was not approved
 */
export function requireWithinApproved(approved: Computed, actual: Computed): void {
  const allowed = new Set(resultsOf(approved));
  const other = resultsOf(actual).findIndex((result) => !allowed.has(result));
  if (other < 0) return;
  const { entityType, entityID, field } = listFields(actual.effect)[other] as ReturnType<typeof listFields>[number];
  throw conflict(
    `The change would modify ${field} of ${subjectOf({ entityType, entityID }).name} in a way that was not approved.`,
    "changes",
  );
}

function resultsOf(computed: Computed): string[] {
  return listFields(comparable(computed)).map((one) => JSON.stringify(one));
}

/** Each field that changes, with the value that it gets. */
function listFields({ changes }: Pick<Effect, "changes">) {
  return changes.flatMap(({ entityType, entityID, fields }) => fields.map(({ field, after }) => ({ entityType, entityID, field, after })));
}

function listMoved(expected: Effect["entities"], actual: Effect["entities"]): string[] {
  const versions = new Map(actual.map((one) => [entityKey(one), one]));
  const known = new Set(expected.map(entityKey));
  const changed = expected.flatMap((one) => {
    const { entityType, entityID, version } = one;
    const found = versions.get(entityKey(one));
    const subject = subjectOf({ entityType, entityID });
    if (!found) return [`${subject.name} would not change`];
    return found.version === version ? [] : [`${subject.name} ${isAt(found.version, version, subject)}`];
  });
  const added = actual.filter((one) => !known.has(entityKey(one))).map((one) => `${subjectOf(one).name} would also change`);
  return [...changed, ...added];
}

function isAt(version: number | null, expected: number | null, { is }: Pick<ReturnType<typeof subjectOf>, "is">): string {
  if (version === null) return "no longer exists";
  return expected === null ? `already exists, at version ${version}` : `${is} at version ${version}, not ${expected}`;
}

/** The effect with the same names in the places of ids that the request makes, and of its time. */
function comparable({ effect: { entities, changes }, now }: Computed): Effect {
  const known = new Set<string>();
  for (const { fields } of changes) for (const { before } of fields) collectTexts(before, known);
  for (const { entityID, version } of entities) if (version !== null) known.add(entityID);
  const made = new Map<string, string>();
  const rename = (value: unknown): unknown => {
    if (value === now) return "now";
    if (typeof value === "string") {
      if (!RANDOM_ID.test(value) || known.has(value)) return value;
      const name = made.get(value) ?? `new ${made.size}`;
      made.set(value, name);
      return name;
    }
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, rename(part)]));
  };
  return rename({ entities, changes }) as Effect;
}

function collectTexts(value: unknown, texts: Set<string>): void {
  if (typeof value === "string") texts.add(value);
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) collectTexts(part, texts);
}
