// Changes of stored entities, in the words of the reviews on their pages. Pure.
import type { Change } from "./change.ts";
import { type DescribedEntity, describeChanges, describeContent, type KnownEntity } from "./changes.ts";
import type { Flag } from "./entity-changes.ts";
import { createdState, itemsAlong, type States, statesOf } from "./entity-states.ts";
import { environmentsInWords, environmentsTouched, type FlagState } from "./environments-touched.ts";
import { fieldName, type KnownNames } from "./field-words.ts";
import { metricTypeLabel } from "./metric-types.ts";
import { withMissingChanges } from "./missing-changes.ts";
import { parameterChanges } from "./parameter-changes.ts";
import { subject, text } from "./parts.ts";
import { reviewChanges } from "./recorded-reviews.ts";
import { firstStep } from "./server-fields.ts";
import { stepSentences } from "./step-changes.ts";
import type { EntityChange, OverrideLists, Parameter, Rule } from "./types.ts";

/** An entity in the state before or after a change, with names of what it refers to by ID. */
export type Base = { entity: object /** The unit ID type of the gate whose overrides they are. */; idType?: string };

/**
 * A change in the words of its page's review. Fields without words of their own follow.
 * @param base the entity before or after the change, if it is known
 * @param environments of the project: rules for all of them don't list them
 */
export function changeWords(
  change: EntityChange,
  base?: Base,
  names: KnownNames = {},
  environments: readonly string[] = [],
): DescribedEntity[] {
  if (change.entityType === "review") {
    const { entityType, entityID } = change;
    return [{ entityType, entityID, title: [], changes: reviewChanges(change) }];
  }
  return withMissingChanges(
    [describeWith(change, base, names, environments)].filter((one) => one.changes.length > 0),
    [change],
  );
}

function describeWith(change: EntityChange, base: Base | undefined, names: KnownNames, environments: readonly string[]): DescribedEntity {
  // A creation or deletion has everything itself.
  const isWhole = change.fields.some(({ field }) => field === "id");
  const states = base && !isWhole ? statesOf(change.fields, base.entity) : undefined;
  const known = states && knownEntity(change, states, base?.idType);
  if (known !== undefined) {
    const [described] = describeChanges([], [known], names, environments);
    return described ?? { ...describeContent({ ...change, fields: [] }), changes: [] };
  }
  const all = { ...namesIn(base?.entity), ...namesIn(states?.before), ...names };
  const sentences = [...stepSentences(change, all), ...parameterSentences(change, states, all)];
  const said = new Set(sentences.flatMap(({ field, covers = [] }) => [firstStep(field), ...covers]));
  const others = {
    ...change,
    fields: change.fields
      .filter(({ field }) => !said.has(firstStep(field)))
      .map(change.entityType === "metric" ? withTypeLabels : (one) => one),
  };
  const described = describeContent(others, all, environments);
  const changes = states === undefined ? described.changes : described.changes.map((one) => withItems(one, states.after));
  return { ...described, changes: [...sentences, ...changes] };
}

type FieldChange = EntityChange["fields"][number];

/** A change of a metric's type, by the labels that the metric's form shows. */
function withTypeLabels(change: FieldChange): FieldChange {
  const labeled = (type: unknown) => (typeof type === "string" ? metricTypeLabel(type) : type);
  return change.field === "type" ? { ...change, before: labeled(change.before), after: labeled(change.after) } : change;
}

/** The changes of a param store's parameters, if both lists are known. A new store had none. */
function parameterSentences({ entityType, fields }: EntityChange, states: States | undefined, names: KnownNames): Change[] {
  if (entityType !== "param_store") return [];
  const whole = fields.find(({ field }) => field === "parameters");
  const [before, after] = whole ? [whole.before ?? [], whole.after] : [listIn(states?.before), listIn(states?.after)];
  return Array.isArray(before) && Array.isArray(after) ? parameterChanges(before as Parameter[], after as Parameter[], names) : [];
}

const listIn = (entity: object = {}): unknown => (entity as { parameters?: unknown }).parameters;

/** Overrides with every list: before their creation and after their deletion, they have none. */
const withLists = (overrides: object): OverrideLists =>
  ({
    ...{ passingUserIDs: [], failingUserIDs: [], passingCustomIDs: [], failingCustomIDs: [], environmentOverrides: [] },
    ...overrides,
  }) as object as OverrideLists;

function knownEntity(
  { entityType: type, entityID: id }: EntityChange,
  { before, after }: States,
  idType = "userID",
): KnownEntity | undefined {
  switch (type) {
    case "gate":
    case "dynamic_config":
      return { type, id, before: before as Flag, after: after as Flag };
    case "segment":
      return { type, id, before: before as never, after: after as never };
    case "gate_overrides":
      return { type, id, idType, before: withLists(before), after: withLists(after) };
    default:
      return undefined;
  }
}

/** A change of a field with the names of the items that it is in: “Group “Green”: size: 30% → 50%”. */
function withItems(change: Change, entity: object): Change {
  if (change.kind !== "changed" || change.field === "") return change;
  const { items, rest } = itemsAlong(entity, change.field);
  const titles = items.map(({ list, item }) => ({ noun: singular(fieldName(list)), name: nameOf(item) }));
  if (titles.length === 0 || titles.some(({ name }) => name === undefined)) return change;
  const [, mark, ...rests] = change.parts;
  const values = mark === undefined || mark.text === ":" ? rests : [mark, ...rests];
  const where = titles.flatMap(({ noun, name }) => [text(noun), subject(`“${name}”`)]);
  const field = fieldName(rest);
  return { ...change, parts: [...where, text(rest === "" ? ":" : `: ${field.charAt(0).toLowerCase()}${field.slice(1)}`), ...values] };
}

const singular = (noun: string): string => noun.replace(/ies$/, "y").replace(/s$/, "");

const nameOf = (item: unknown): string | undefined => {
  const { name, id } = (typeof item === "object" && item !== null ? item : {}) as { name?: unknown; id?: unknown };
  return typeof name === "string" && name !== "" ? name : typeof id === "string" && id !== "" ? id : undefined;
};

/** The names of an entity's groups and versions by their IDs. */
function namesIn(entity: object = {}): KnownNames {
  const { groups, versions } = entity as { groups?: unknown; versions?: unknown };
  const parts: { id: string; name: string }[] = [groups, versions].flatMap((list) => (Array.isArray(list) ? list : []));
  return Object.fromEntries(parts.map(({ id, name }) => [id, name]));
}

/** Environments where users may get something else after a change of rules, in words. Undefined if the change is of no rules, or its states are unknown. */
export function changedEnvironments(
  { entityType, fields }: EntityChange,
  base: Base | undefined,
  all: readonly string[],
): string | undefined {
  if (entityType !== "gate" && entityType !== "dynamic_config" && entityType !== "segment") return undefined;
  const created = createdState(fields);
  const states = base && statesOf(fields, base.entity);
  if (states !== undefined) return environmentsInWords(environmentsTouched(flagOf(states.before), flagOf(states.after), all), all);
  return created && environmentsInWords(environmentsTouched(null, flagOf(created), all), all);
}

const flagOf = (entity: object): FlagState => {
  const { rules = [] } = entity as { rules?: readonly Rule[] };
  return { flag: { ...entity, rules } };
};
