// Names and values of other servers that the contract refuses: `x-refused` and `x-refused-values` of schemas, `x-refused-parameters` of
// operations. Each has its reason, which the server answers and the documentation shows.

/** Adds the refusals of schemas and operations to their descriptions. */
export function showRefusals() {
  return {
    Schema: {
      enter(schema) {
        describe(schema, { ...schema["x-refused"], ...schema["x-refused-values"] });
      },
    },
    Operation: {
      enter(operation) {
        describe(operation, operation["x-refused-parameters"]);
      },
    },
  };
}

const described = new WeakSet();

function describe(node, refusals = {}) {
  const lines = Object.entries(refusals).map(([name, reason]) => `- \`${name}\`: ${reason}`);
  if (lines.length === 0 || described.has(node)) return;
  described.add(node);
  node.description = [...(node.description ? [node.description] : []), `Not supported:\n${lines.join("\n")}`].join("\n\n");
}
