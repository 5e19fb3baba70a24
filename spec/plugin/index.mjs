// The contract's plugin for Redocly: completes operations and examples before they are linted and bundled.
import { kinds, versions } from "../console/kinds.mjs";
import { rules as consoleRules } from "../console/rules.mjs";
import { rules as evaluationRules } from "../evaluation/rules.mjs";
import { rules as scimRules } from "../scim/rules.mjs";
import { completeDocument } from "./complete-document.mjs";
import { completeExample, isCompleted } from "./complete-example.mjs";
import { noAmbiguousPaths } from "./no-ambiguous-paths.mjs";
import { addRead, noUnlistedFiles } from "./no-unlisted-files.mjs";
import { showRefusals } from "./show-refusals.mjs";

const APIS = { console: { rules: consoleRules, kinds, versions }, evaluation: { rules: evaluationRules }, scim: { rules: scimRules } };
const ENVELOPE = ["message", "data", "pagination"];

/** Mistakes in path files and entities, by node: found when the document is completed, and reported by the rule. */
let faults = new Map();

export default function contractPlugin() {
  return {
    id: "contract",
    preprocessors: {
      oas3: { "complete-operations": completeOperations, "complete-examples": completeExamples, "show-refusals": showRefusals },
    },
    typeExtension: { oas3: withOwnTypes },
    rules: {
      oas3: {
        "no-ambiguous-paths": noAmbiguousPaths,
        "no-unlisted-files": noUnlistedFiles,
        derivation,
        "no-written-envelopes": noWrittenEnvelopes,
        "known-permission": knownPermission,
      },
    },
  };
}

function completeOperations({ api }) {
  return {
    Root: {
      enter(root, { resolve }) {
        faults = completeDocument(root, APIS[api], resolve);
      },
    },
  };
}

/** Lets the linter resolve references in extensions, and check the fields of entities. */
function withOwnTypes({ Root, Schema, Example, ...types }) {
  const data = (value) => (Array.isArray(value) ? "AnsweredEntities" : "AnsweredEntity");
  const text = { type: "string" };
  return {
    ...types,
    Root: { ...Root, properties: { ...Root.properties, "x-entities": "Entities" } },
    Schema: { ...Schema, properties: { ...Schema.properties, "x-result": "Schema", "x-list": "Schema", "x-version-list": "Schema" } },
    Entities: { properties: {}, additionalProperties: "Entity" },
    Entity: {
      properties: {
        noun: text,
        description: text,
        plural: text,
        title: text,
        tag: text,
        name: text,
        names: text,
        schema: "Schema",
        example: "AnsweredEntity",
        examples: { type: "object" },
      },
      required: ({ schema }) => (schema ? ["noun", "example"] : ["noun"]),
    },
    Example: { ...Example, properties: { ...Example.properties, "x-answer": "Answer" } },
    Answer: {
      properties: { message: { type: "string" }, data, review: "AnsweredEntity", pages: { type: "object" } },
      required: ["message"],
    },
    AnsweredEntities: { properties: {}, items: "AnsweredEntity" },
    AnsweredEntity: { properties: {}, additionalProperties: {} },
  };
}

function completeExamples() {
  return {
    Example: {
      leave(example, { resolve, report, location }) {
        if (!example["x-answer"]) return;
        const resolveEntity = (reference) => {
          const { node, location: target } = resolve(reference);
          if (target) addRead(target.source.absoluteRef);
          if (node === undefined) report({ message: `There is no entity at ${reference.$ref}.`, location: location.child("x-answer") });
          return node;
        };
        completeExample(example, resolveEntity);
      },
    },
  };
}

/** Reports the mistakes that were found when the document was completed. */
function derivation() {
  const reportFaults = (node, { report, location }) => {
    for (const { at, message } of faults.get(node) ?? []) report({ message, location: location.child(at).key() });
  };
  return { Operation: reportFaults, PathItem: reportFaults, Entity: reportFaults };
}

function noWrittenEnvelopes() {
  return {
    Example(example, { report, location }) {
      if (isCompleted(example) || !isEnvelope(example.value)) return;
      report({ message: "State the `message` and the `data` of a success in `x-answer`.", location: location.child("value").key() });
    },
  };
}

function isEnvelope(value) {
  return typeof value?.message === "string" && Object.keys(value).every((name) => ENVELOPE.includes(name));
}

/**
 * The access that an operation needs in place of a permission: no credentials, a person's session, a server administrator's session, or the access of
 * its requests.
 */
const NO_PERMISSIONS = ["none", "session", "administrator", "contained"];

/** Every operation names its required access in `x-permission`: a property of the schema in Permissions.yaml, or one of NO_PERMISSIONS. */
function knownPermission() {
  const needed = [];
  const permissions = new Set(NO_PERMISSIONS);
  return {
    Schema({ properties }, { location }) {
      if (!location.source.absoluteRef.endsWith("/Permissions.yaml") || location.pointer !== "#/") return;
      for (const name of Object.keys(properties)) permissions.add(name);
    },
    Operation(operation, { location }) {
      needed.push({ permission: operation["x-permission"], location });
    },
    Root: {
      leave(_, { report }) {
        for (const { permission, location } of needed) {
          if (permission === undefined)
            report({ message: "State the permission that the operation needs in `x-permission`.", location: location.key() });
          else if (!permissions.has(permission))
            report({
              message: `There is no permission ${permission}: Permissions.yaml has those that there are, beside ${NO_PERMISSIONS.join(", ")}.`,
              location: location.child("x-permission").key(),
            });
        }
      },
    },
  };
}
