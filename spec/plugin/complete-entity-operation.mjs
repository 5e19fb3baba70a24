import { basename } from "node:path";
import { addDerived } from "./derived.mjs";
import { entityExample } from "./entity-examples.mjs";
import { capitalized, uncapitalized } from "./text.mjs";

/**
 * A kind of operations: everything that its operations have in common. References are relative to the folder of the path files.
 *
 * @typedef {object} Kind
 * @property {boolean} [isOfMany] Whether the operationId ends with the plural.
 * @property {(words: object) => string} summary
 * @property {(words: object) => string} [description] Where operations of the kind have the same.
 * @property {(words: object, answers: string) => string} success The description of the success response.
 * @property {string} [status] Of the success. Defaults to 200.
 * @property {"result" | "list" | "version-list" | "message"} answers
 * @property {string} example The name of the example in the entity's `examples`.
 * @property {string[]} [parameters] References. They come after the operation's own.
 */

/** The fields of an operation that can follow from its entity and its kind, besides parameters and responses. */
const FIELDS = ["tags", "summary", "description", "x-status", "x-answers"];

/**
 * Adds everything to an operation, in place, that follows from its entity and its kind. Fields in its path file are kept.
 *
 * @param {object} operation
 * @param {import("./entity.mjs").Entity} entity
 * @param {Kind | undefined} kind Undefined for an operation that only this entity has.
 * @param {string} all The path of a list.
 * @returns {{ at: (string | number)[], message: string }[]} Repetitions in the path file.
 */
export function completeEntityOperation(operation, entity, kind, all) {
  const { "x-status": status = kind?.status ?? "200", "x-answers": answers = kind?.answers } = operation;
  const derived = {
    tags: [entity.tag],
    ...(kind && {
      summary: kind.summary(entity.words),
      description: kind.description?.(entity.words),
      parameters: pickParameters(operation, kind),
      "x-status": Number(kind.status ?? 200),
      "x-answers": kind.answers,
    }),
  };
  const success = kind && { status: String(status), description: kind.success(entity.words, answers) };
  const faults = repetitions(operation, derived, success);
  write(operation, derived);
  if (kind) writeSuccess(operation, success, { entity, kind, answers, all });
  return faults;
}

/** Returns the parameters of the kind, except those that `x-without` names. */
function pickParameters(operation, { parameters = [] }) {
  const { "x-without": without = [] } = operation;
  const parameterName = ($ref) => basename($ref, ".yaml");
  const others = without.filter((name) => !parameters.some(($ref) => parameterName($ref) === name));
  if (others.length < without.length) operation["x-without"] = others;
  return parameters.filter(($ref) => !without.includes(parameterName($ref))).map(($ref) => ({ $ref }));
}

function repetitions(operation, derived, success) {
  const fault = (at, what) => ({ at, message: `\`x-entity\` adds ${what} to this operation. Leave it out here.` });
  const { parameters = [], responses = {} } = operation;
  return [
    ...FIELDS.filter((name) => name in operation && isSame(operation[name], derived[name])).map((name) => fault([name], `\`${name}\``)),
    ...parameters.flatMap(({ $ref }, index) =>
      derived.parameters?.some((one) => one.$ref === $ref) ? [fault(["parameters", index], basename($ref, ".yaml"))] : [],
    ),
    ...(success && isSame(responses[success.status]?.description, success.description)
      ? [fault(["responses", success.status, "description"], "this description")]
      : []),
  ];
}

function write(operation, { tags, summary, description, parameters = [] }) {
  const { "x-status": _status, "x-answers": _answers, parameters: own = [], ...stated } = operation;
  for (const name of Object.keys(operation)) delete operation[name];
  const isNew = ({ $ref }) => !own.some((one) => one.$ref === $ref);
  Object.assign(operation, { tags }, summary && { summary }, description && { description }, stated);
  if (own.length + parameters.length > 0) operation.parameters = [...own, ...parameters.filter(isNew)];
  operation.responses ??= {};
}

function writeSuccess({ responses }, { status, description }, { entity, kind, answers, all }) {
  const own = responses[status] ?? {};
  const { schema = answerSchema(answers, entity), examples = findExample(entity, kind, answers, all) } =
    own.content?.["application/json"] ?? {};
  responses[status] = { description, ...own, content: { ...own.content, "application/json": { schema, examples } } };
}

function answerSchema(answers, entity) {
  if (answers === "message") return { $ref: "../components/schemas/common/Message.yaml" };
  return { [`x-${answers}`]: { $ref: entity.node.schema.$ref } };
}

/** Falls back to the example of an update if the entity has none for the kind: enabling a gate shows an updated gate. */
function findExample(entity, { example, isOfMany }, answers, all) {
  const state = entity.hasExample(example) ? example : "updated";
  const name = (isOfMany ? entity.names : entity.name) + capitalized(state);
  addDerived(entity.node, name, entityExample(entity, state, answers, all));
  return { [uncapitalized(name)]: { $ref: `${entity.file}#/${name}` } };
}

function isSame(one, other) {
  const plain = (value) => JSON.stringify(value ?? null).replace(/(\\n|\s)+/g, " ");
  return one !== undefined && plain(one) === plain(other);
}
