// The contract's plugin for Redocly: completes operations and examples before they are linted and bundled.
import { rules as consoleRules } from "../console/rules.mjs";
import { rules as evaluationRules } from "../evaluation/rules.mjs";
import { completeExample } from "./complete-example.mjs";
import { completeOperation } from "./complete-operation.mjs";

const RULES = { console: consoleRules, evaluation: evaluationRules };
const ENVELOPE = ["message", "data", "pagination"];
const METHODS = ["get", "put", "post", "patch", "delete"];

/** What path files should not say, by operation: found when it is completed, and reported by the rule. */
const faults = new WeakMap();

/** The examples whose envelope is made here. */
const completed = new WeakSet();

export default function contractPlugin() {
  return {
    id: "contract",
    preprocessors: { oas3: { "complete-operations": completeOperations, "complete-examples": completeExamples } },
    typeExtension: { oas3: withAnswers },
    rules: {
      oas3: { "no-repeated-rules": noRepeatedRules, "no-written-envelopes": noWrittenEnvelopes, "known-permission": knownPermission },
    },
  };
}

function completeOperations({ api }) {
  return {
    PathItem: {
      leave(item) {
        for (const method of METHODS.filter((name) => name in item)) {
          faults.set(item[method], completeOperation(RULES[api], item, method, item[method]));
        }
      },
    },
  };
}

/** Lets references in `x-answer` be resolved, also those in a list. */
function withAnswers({ Example, ...types }) {
  const data = (value) => (Array.isArray(value) ? "AnsweredEntities" : "AnsweredEntity");
  return {
    ...types,
    Example: { ...Example, properties: { ...Example.properties, "x-answer": "Answer" } },
    Answer: { properties: { message: { type: "string" }, data, pages: { type: "object" } }, required: ["message"] },
    AnsweredEntities: { properties: {}, items: "AnsweredEntity" },
    AnsweredEntity: { properties: {}, additionalProperties: {} },
  };
}

function completeExamples() {
  return {
    Example: {
      leave(example, { resolve, report, location }) {
        if (!example["x-answer"]) return;
        const entityOf = (reference) => {
          const { node } = resolve(reference);
          if (node === undefined) report({ message: `There is no entity at ${reference.$ref}.`, location: location.child("x-answer") });
          return node;
        };
        completeExample(example, entityOf);
        completed.add(example);
      },
    },
  };
}

function noRepeatedRules() {
  return {
    Operation(operation, { report, location }) {
      for (const { at, message } of faults.get(operation) ?? []) report({ message, location: location.child(at).key() });
    },
  };
}

function noWrittenEnvelopes() {
  return {
    Example(example, { report, location }) {
      if (completed.has(example) || !isEnvelope(example.value)) return;
      report({ message: "State the `message` and the `data` of a success in `x-answer`.", location: location.child("value").key() });
    },
  };
}

function isEnvelope(value) {
  return typeof value?.message === "string" && Object.keys(value).every((name) => ENVELOPE.includes(name));
}

/**
 * What an operation needs in place of a permission: no credentials, the session of a person, that of an administrator of the instance, or what the
 * requests need that it contains.
 */
const NO_PERMISSIONS = ["none", "session", "administrator", "contained"];

/** Every operation names in `x-permission` what it needs: a property of the schema in Permissions.yaml, or one of NO_PERMISSIONS. */
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
