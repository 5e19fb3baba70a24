// Compares objects of Kubernetes with their types. Unlike the API's own schemas, the compiler reports properties that a type doesn't have.
import { fileURLToPath } from "node:url";
import ts from "typescript";

const FILE = fileURLToPath(new URL("objects.ts", import.meta.url));
const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  types: [],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** @param {object[]} objects @returns {string[]} what is missing, unknown or of another type */
export function faultsOf(objects) {
  const source = objects.map(declare).join("");
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (name, version) => (name === FILE ? ts.createSourceFile(name, source, version) : getSourceFile(name, version));
  const program = ts.createProgram([FILE], OPTIONS, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

function declare(object, index) {
  const { apiVersion, kind } = object;
  return `import type { I${kind} as Type${index} } from "kubernetes-models/${apiVersion}";\nexport const object${index}: Type${index} = ${JSON.stringify(object)};\n`;
}
