import { completeExample } from "./complete-example.mjs";
import { capitalized } from "./text.mjs";

/** When the examples of an entity were created, changed and restored. */
const TIMES = { created: 1763700000000, changed: 1763786400000, restored: 1763872800000 };

/**
 * The example of an answer about an entity. The entity's file has the entity as it is now, the fields that differed in version 1 (`first`) or
 * differ in version 2 (`changed`), and the particulars of single examples.
 *
 * @param {import("./entity.mjs").Entity} entity
 * @param {string} kind `created`, `read` …: a name in the entity's `examples`.
 * @param {string} answers `result`, `list`, `version-list` or `message`.
 * @param {string} all The path of a list.
 */
export function entityExample(entity, kind, answers, all) {
  const own = entity.examples[kind] ?? {};
  const standard = standardExample(entity, kind);
  entity.shown.add(kind);
  const { summary = standard.summary, message = standard.message, totalItems = standard.totalItems } = own;
  const states = [own.with ?? standard.with ?? []].flat();
  const data = states.map((state) => ({ ...entity.example, ...state }));
  const example = {
    summary,
    "x-answer": {
      message,
      ...(answers === "result" && { data: data[0] }),
      ...(answers === "list" && { data, pages: { all, totalItems } }),
      ...(answers === "version-list" && { data, reasons: standard.reasons, pages: { all, totalItems } }),
    },
  };
  completeExample(example);
  return example;
}

/** Mistakes in the examples of an entity's file: repetitions, and examples that no operation shows. */
export function faultsOfExamples(entity) {
  const { first: _first, changed: _changed, ...own } = entity.examples;
  return Object.entries(own).flatMap(([kind, fields]) => {
    if (!entity.shown.has(kind)) return [{ at: ["examples", kind], message: "No operation shows this example." }];
    const standard = standardExample(entity, kind);
    return Object.keys(fields)
      .filter((field) => JSON.stringify(fields[field]) === JSON.stringify(standard[field]))
      .map((field) => ({ at: ["examples", kind, field], message: `Every ${kind} example has this ${field}. Leave it out here.` }));
  });
}

function standardExample(entity, kind) {
  return STANDARD_EXAMPLES[kind]?.(entity) ?? {};
}

/** The examples that follow from an entity: the fields that differ from its `example`, and the words. */
export const STANDARD_EXAMPLES = {
  created: (entity) => ({ summary: `A new ${entity.words.noun}`, message: message(entity, "created"), with: first(entity) }),
  read: (entity) => ({ summary: capitalized(entity.words.one), message: message(entity, "read"), with: {} }),
  updated: (entity) => ({ summary: `The changed ${entity.words.noun}`, message: message(entity, "updated"), with: changed(entity) }),
  deleted: (entity) => ({ summary: "Deleted", message: message(entity, "deleted"), with: {} }),
  listed: (entity) => ({
    summary: "The first page of three",
    message: `${capitalized(plural(entity))} listed successfully.`,
    with: [{}],
    totalItems: 3,
  }),
  versionsListed: (entity) => ({
    summary: `A changed ${entity.words.noun} and its first version`,
    message: `${entity.title} versions listed successfully.`,
    with: [changed(entity), first(entity)],
    reasons: [],
    totalItems: 2,
  }),
  restored: (entity) => ({
    summary: `The ${entity.words.noun} as it was in version 1`,
    message: `${entity.title} version 1 restored successfully.`,
    with: { ...first(entity), lastModifiedTime: TIMES.restored, version: 3 },
  }),
};

function message({ title }, participle) {
  return `${title} ${participle} successfully.`;
}

function plural({ title, words }) {
  return words.plural === `${words.noun}s` ? `${title}s` : words.plural;
}

function first({ examples: { first: fields } }) {
  return fields ? { ...fields, lastModifiedTime: TIMES.created, version: 1 } : {};
}

function changed({ examples: { changed: fields } }) {
  return fields ? { ...fields, lastModifiedTime: TIMES.changed, version: 2 } : {};
}
