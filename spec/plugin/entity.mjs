import { basename } from "node:path";
import { STANDARD_EXAMPLES } from "./entity-examples.mjs";
import { capitalized } from "./text.mjs";

const VOWEL = /^[aeio]/i;

/**
 * An entity of `x-entities`, with its names and words.
 *
 * @typedef {ReturnType<typeof entityFrom>} Entity
 */

/**
 * @param {string} type As in `x-entity`: `dynamic_config`.
 * @param {string} file Relative to the root document.
 * @param {object} node The content of the file.
 * @param {{ schema?: object, example?: object }} resolved The targets of `schema` and `example`. An entity without operations of a kind has
 * neither.
 */
export function entityFrom(type, file, node, { schema, example = {} }) {
  // The linter reports a noun that is missing.
  const { noun = type, plural = `${noun}s`, title = capitalized(noun), tag = capitalized(plural) } = node;
  const { examples = {} } = node;
  const { name = node.schema && basename(node.schema.$ref, ".yaml"), names = `${name}s` } = node;
  return {
    type,
    node,
    example,
    /** From the folders of path files. */
    file: `../${file}`,
    schema,
    examples,
    /** The examples that operations show. */
    shown: new Set(),
    hasExample: (kind) => kind in STANDARD_EXAMPLES || kind in examples,
    /** In operationIds and the names of examples. */
    name,
    names,
    tag,
    /** At the beginning of messages. */
    title,
    words: { noun, one: withArticle(noun), plural },
  };
}

/** The kind of an operation on the entity: the verb, if the rest of its operationId is the entity's name. */
export function findKind({ name, names }, kinds, operationId) {
  return Object.keys(kinds).find((verb) => operationId === verb + (kinds[verb].isOfMany ? names : name));
}

/** The message about a type that `x-entities` does not list. */
export function unknownEntity(type) {
  return `Unknown entity ${type}: \`x-entities\` in openapi.yaml lists all entities.`;
}

function withArticle(noun) {
  return `${VOWEL.test(noun) ? "an" : "a"} ${noun}`;
}
