// The contract's plugin for Redocly: completes operations before they are linted and bundled.
import { rules as consoleRules } from "../console/rules.mjs";
import { rules as evaluationRules } from "../evaluation/rules.mjs";
import { completeOperation } from "./complete-operation.mjs";

const RULES = { console: consoleRules, evaluation: evaluationRules };
const METHODS = ["get", "put", "post", "patch", "delete"];

/** What path files should not say, by operation: found when it is completed, and reported by the rule. */
const faults = new WeakMap();

export default function contractPlugin() {
  return {
    id: "contract",
    preprocessors: { oas3: { "complete-operations": completeOperations } },
    rules: { oas3: { "no-repeated-rules": noRepeatedRules } },
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

function noRepeatedRules() {
  return {
    Operation(operation, { report, location }) {
      for (const { at, message } of faults.get(operation) ?? []) report({ message, location: location.child(at).key() });
    },
  };
}
