import type { Change } from "./change.ts";
import { type Flag, flagChanges, flagContents } from "./entity-changes.ts";
import { equal } from "./equal.ts";
import { fieldChanges, plainChange } from "./field-changes.ts";
import { fieldName, isNothing, type KnownNames, plainValue } from "./field-words.ts";
import { overrideChanges } from "./override-changes.ts";
import { type Part, subject, text } from "./parts.ts";
import { releaseChanges } from "./release-changes.ts";
import { ruleChanges } from "./rule-changes.ts";
import { isSetByServer } from "./server-fields.ts";
import { TEAM_WORDS, type TeamFields } from "./team-fields.ts";
import type { EntityChange, OverrideLists, Rule } from "./types.ts";

export type { Change } from "./change.ts";

/** An entity of a dry run that the page knows before and after. Its changes are read from there, since the server compares rules by their places. */
export type KnownEntity =
  | { type: "gate" | "dynamic_config"; id: string; before: Flag; after: Flag }
  | { type: "segment"; id: string; before: Targeted; after: Targeted }
  | { type: "gate_overrides"; id: string; idType: string; before: OverrideLists; after: OverrideLists };

/** A segment as far as its changes are described. */
type Targeted = {
  rules: readonly Rule[];
  isEnabled: boolean;
  idType: string;
  name: string;
  description: string;
  tags: readonly string[];
} & Partial<TeamFields>;

const SEGMENT_FIELDS = {
  name: { label: "Name", as: "value" },
  description: { label: "Description", as: "text" },
  tags: { label: "Tags", as: "names" },
  ...TEAM_WORDS,
} as const;

/** The changes of one entity in words. */
export type DescribedEntity = { entityType: string; entityID: string; title: Part[]; changes: Change[] };

/**
 * A dry run's changes, in words: the known entities first. Entities without a change that concerns people are left out.
 * @param all the environments of the project: rules for all of them don't list them
 */
export function describeChanges(
  changes: readonly EntityChange[],
  known: readonly KnownEntity[],
  names?: KnownNames,
  all?: readonly string[],
): DescribedEntity[] {
  const isKnown = ({ entityType, entityID }: EntityChange) => known.some(({ type, id }) => type === entityType && id === entityID);
  return [
    ...known.map((entity) => ({
      entityType: entity.type,
      entityID: entity.id,
      title: entityTitle(entity.type, entity.id),
      changes: entityChanges(entity, names, all),
    })),
    ...changes.filter((change) => !isKnown(change)).map((change) => described(change, names)),
  ].filter((entity) => entity.changes.length > 0);
}

/** The changes of a known entity. */
export function entityChanges(entity: KnownEntity, names?: KnownNames, all: readonly string[] = []): Change[] {
  switch (entity.type) {
    case "gate":
      return flagChanges(entity.before, entity.after, { outcome: "pass", all }, names);
    case "dynamic_config":
      return flagChanges(entity.before, entity.after, { outcome: "value", all }, names);
    case "segment":
      return segmentChanges(entity.before, entity.after, all);
    case "gate_overrides":
      return overrideChanges(entity.before, entity.after, entity.idType);
  }
}

/** A version of a segment has no ids. An id list changes only through its count, which is not an edit. */
function segmentChanges(before: Targeted, after: Targeted, all: readonly string[]): Change[] {
  const archived: Change[] =
    before.isEnabled === after.isEnabled
      ? []
      : [{ kind: "changed", field: "isEnabled", parts: [text(after.isEnabled ? "Unarchived" : "Archived")] }];
  return [
    ...ruleChanges(before.rules, after.rules, { idType: after.idType, outcome: "member", all }),
    ...fieldChanges(SEGMENT_FIELDS, before, after),
    ...archived,
  ];
}

/** Fields of every entity: only its creation adds them, and only its deletion removes them. */
const LASTING: ReadonlySet<string> = new Set(["id", "createdTime"]);

/** Whether an entity appears or disappears with a change. A field alone may also get its first value, or lose it. */
const isWhole = ({ fields }: EntityChange, missing: "before" | "after"): boolean =>
  fields.every((one) => one[missing] === null) && fields.some(({ field }) => LASTING.has(field));

function described(change: EntityChange, names?: KnownNames): DescribedEntity {
  const { entityType, entityID, fields } = change;
  const entity = { entityType, entityID, title: entityTitle(entityType, entityID) };
  if (isWhole(change, "before")) return { ...entity, changes: [{ kind: "added", field: "", parts: [text("Created")] }] };
  if (isWhole(change, "after")) return { ...entity, changes: [{ kind: "removed", field: "", parts: [text("Deleted")] }] };
  const changes = fields.flatMap(({ field, before, after }): Change[] => {
    if (equal(before, after) || isSetByServer(field)) return [];
    if (field === "activeRelease") return releaseChanges(released(before), released(after));
    return [plainChange(field, before, after, names)];
  });
  return { ...entity, changes };
}

/** An entity as far as a change of its release alone is known. */
const released = (activeRelease: unknown) => ({ rules: [], ...(isObject(activeRelease) && { activeRelease: activeRelease as never }) });

const isObject = (given: unknown): given is object => typeof given === "object" && given !== null;

/** Fields that the server sets, and fields in the title. */
const UNTOLD: ReadonlySet<string> = new Set([
  ...["id", "name", "creatorID", "creatorName", "creatorEmail", "createdTime", "status", "salt", "userBuckets"],
  ...["count", "healthChecks", "healthCheckStatus"],
]);

/** A dry run's change, with the contents of a new entity, except fields that are empty or off. @param all the environments of the project */
export function describeContent(change: EntityChange, names?: KnownNames, all?: readonly string[]): DescribedEntity {
  return isWhole(change, "before") ? creation(change, names, all) : described(change, names);
}

function creation(change: EntityChange, names?: KnownNames, all?: readonly string[]): DescribedEntity {
  const { entityType, entityID } = change;
  const created: Change = { kind: "added", field: "", parts: [text("Created")] };
  return { entityType, entityID, title: entityTitle(entityType, entityID), changes: [created, ...contents(change, names, all)] };
}

function contents({ entityType, fields }: EntityChange, names?: KnownNames, all: readonly string[] = []): Change[] {
  const entity = Object.fromEntries(fields.map(({ field, after }) => [field, after]));
  if (entityType === "gate") return flagContents(entity, { outcome: "pass", all }, names);
  if (entityType === "dynamic_config") return flagContents(entity, { outcome: "value", all }, names);
  return fields.flatMap(({ field, after }): Change[] => {
    if (isNothing(after) || after === false || UNTOLD.has(field)) return [];
    if (field === "rules" && entityType === "segment") {
      return ruleChanges([], after as Rule[], { idType: String(entity.idType ?? "userID"), outcome: "member", all });
    }
    return [{ kind: "added", field, parts: [subject(fieldName(field)), text(":"), plainValue(field, after, names)] }];
  });
}

/** Whether a value is empty or off, with everything in it. */
const isBlank = (value: unknown): boolean =>
  value === null || value === "" || value === false || (isObject(value) && Object.values(value).every(isBlank));

/** What a new entity began with, except fields that are empty or off. @param entity its first version */
export function firstContent(entityType: string, entity: object, names?: KnownNames): DescribedEntity {
  const values = entity as Readonly<Record<string, unknown>>;
  // The text of a value has its comments, so it stands for the value.
  const fields = Object.entries(values)
    .filter(([field, value]) => !isSetByServer(field) && !isBlank(value) && !Object.hasOwn(values, `${field}Json5`))
    .map(([field, after]) => ({ field, before: null, after: after ?? null }));
  const described = creation({ entityType, entityID: "", fields }, names);
  const changes = described.changes.slice(1).map((change): Change => {
    const text = values[change.field];
    if (!change.field.endsWith("Json5") || typeof text !== "string") return change;
    return { ...change, parts: [subject(fieldName(change.field.slice(0, -"Json5".length)))], diff: { before: "", after: text } };
  });
  return { ...described, changes };
}

/** “Dynamic config “banner””. */
export function entityTitle(entityType: string, entityID: string): Part[] {
  const noun = entityType.replaceAll("_", " ");
  return [text(`${noun.charAt(0).toUpperCase()}${noun.slice(1)}`), subject(`“${entityID}”`)];
}
