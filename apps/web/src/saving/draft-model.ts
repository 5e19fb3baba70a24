// The draft of an entity: the version that was read, and a person's edits. Pure.
import type { DescribedEntity } from "../targeting/changes.ts";
import { equal } from "../targeting/equal.ts";
import { type FieldWords, fieldChanges, fieldText } from "../targeting/field-changes.ts";
import { subject, text } from "../targeting/parts.ts";
import { type Choices, type Conflict, merge } from "./merge.ts";

/** An entity and the ETag with which it was read: a save is refused if someone else saved since. */
export type Stored<Entity> = { readonly entity: Entity; readonly etag: string };

/** How drafts of one kind of entity are compared and merged. Two people can change different parts independently. */
export type DraftModel<Read, Draft extends { readonly stored: Read }, Parts extends object> = {
  /** The ETags of the read entities, as one text. */
  getEtag: (stored: Read) => string;
  storedParts: (stored: Read) => Parts;
  draftParts: (draft: Draft) => Parts;
  createDraft: (stored: Read, parts: Parts) => Draft;
  /** How many things differ, as the review lists them. */
  countChanges: (draft: Draft) => number;
  getName: (part: keyof Parts & string) => string;
  /** A value in words, to compare two. */
  toText: (part: keyof Parts & string, value: unknown, stored: Read) => string;
};

/** The parts that differ from the version the edits began from. */
export function changedParts<Read, Draft extends { readonly stored: Read }, Parts extends object>(
  model: DraftModel<Read, Draft, Parts>,
  draft: Draft,
): Partial<Parts> {
  const [base, mine] = [model.storedParts(draft.stored), model.draftParts(draft)];
  const names = (Object.keys(mine) as (keyof Parts)[]).filter((name) => !equal(mine[name], base[name]));
  return Object.fromEntries(names.map((name) => [name, mine[name]])) as Partial<Parts>;
}

const merged = <Read, Draft extends { readonly stored: Read }, Parts extends object>(
  model: DraftModel<Read, Draft, Parts>,
  draft: Draft,
  current: Read,
  choices: Choices,
) => merge(model.storedParts(draft.stored), model.draftParts(draft), model.storedParts(current), choices);

/** The parts that both the draft and someone else changed since the draft began. */
export const conflictsIn = <Read, Draft extends { readonly stored: Read }, Parts extends object>(
  model: DraftModel<Read, Draft, Parts>,
  draft: Draft,
  current: Read,
): Conflict<Parts>[] => merged(model, draft, current, {}).conflicts;

/** The draft on top of the version that someone else saved. */
export const mergedDraft = <Read, Draft extends { readonly stored: Read }, Parts extends object>(
  model: DraftModel<Read, Draft, Parts>,
  draft: Draft,
  current: Read,
  choices: Choices,
): Draft => model.createDraft(current, merged(model, draft, current, choices).values);

/** A draft whose parts are fields of the entity. */
export type FieldsDraft<Entity, Fields extends object> = { readonly stored: Stored<Entity>; readonly fields: Fields };

export type FieldsModel<Entity, Fields extends object> = DraftModel<Stored<Entity>, FieldsDraft<Entity, Fields>, Fields> & {
  words: Readonly<Record<keyof Fields & string, FieldWords>>;
};

/** The model of an entity whose fields are edited one by one. */
export function fieldsModel<Entity, Fields extends object>(
  words: Readonly<Record<keyof Fields & string, FieldWords>>,
  toFields: (entity: Entity) => Fields,
): FieldsModel<Entity, Fields> {
  const model: FieldsModel<Entity, Fields> = {
    words,
    getEtag: ({ etag }) => etag,
    storedParts: ({ entity }) => toFields(entity),
    draftParts: ({ fields }) => fields,
    createDraft: (stored, fields) => ({ stored, fields }),
    countChanges: (draft) => Object.keys(changedParts(model, draft)).length,
    getName: (field) => words[field].label,
    toText: (field, value) => fieldText(words[field], value),
  };
  return model;
}

export const setFields = <Entity, Fields extends object>(
  draft: FieldsDraft<Entity, Fields>,
  fields: Partial<NoInfer<Fields>>,
): FieldsDraft<Entity, Fields> => ({ ...draft, fields: { ...draft.fields, ...fields } });

/** The differences between two states of an entity, in words. Empty without any. */
export function describeFields<Fields extends object>(
  words: Readonly<Record<keyof Fields & string, FieldWords>>,
  entity: { type: string; noun: string; id: string },
  before: Fields,
  after: Fields,
): DescribedEntity[] {
  const changes = fieldChanges(words, before, after);
  const title = [text(entity.noun), subject(`“${entity.id}”`)];
  return changes.length === 0 ? [] : [{ entityType: entity.type, entityID: entity.id, title, changes }];
}
