import { basename } from "node:path";
import { addDerived } from "./derived.mjs";

/** In the place of a schema: an envelope around the schema of a file, and the end of the envelope's name. */
const ENVELOPES = { "x-result": "Result", "x-list": "List", "x-version-list": "VersionList" };

/**
 * Puts references to envelopes in the place of every `schema: { x-result: … }`, `schema: { x-list: … }` and `schema: { x-version-list: … }`.
 * The result of a write also has the fields of a dry run.
 *
 * @param {{ operation: object, isWrite: boolean, schemaAt: ($ref: string) => object | undefined }[]} operations
 */
export function completeEnvelopes(operations) {
  const found = operations.flatMap(({ operation, isWrite, schemaAt }) =>
    bodies(operation).flatMap((body) => {
      const [extension, end] = Object.entries(ENVELOPES).find(([name]) => body.schema?.[name]) ?? [];
      return extension ? [{ body, end, isWrite, $ref: body.schema[extension].$ref, schemaAt }] : [];
    }),
  );
  const written = new Set(found.filter(({ isWrite }) => isWrite).map(({ $ref, end }) => $ref + end));
  for (const { body, end, $ref, schemaAt } of found) {
    const node = schemaAt($ref);
    // The linter reports a schema that does not exist.
    if (node === undefined) continue;
    const file = basename($ref);
    const name = basename($ref, ".yaml") + end;
    addDerived(node, name, envelopeOf(end, file, written.has($ref + end)));
    body.schema = { $ref: `${$ref}#/${name}` };
  }
}

function bodies({ responses = {} }) {
  return Object.values(responses).flatMap(({ content = {} }) => Object.values(content));
}

function envelopeOf(end, file, isOfWrite) {
  if (end === "Result") return result(file, isOfWrite);
  return end === "List" ? list(file) : versionList(file);
}

// The references in an envelope are relative to the file of its data: schemas/<resource>/.

function result(file, isOfWrite) {
  const shown = {
    changes: { $ref: "../common/EntityChanges.yaml" },
    requirements: { $ref: "../reviews/RequiredReview.yaml" },
    impact: { $ref: "../previews/Impact.yaml" },
  };
  return envelope({ data: { $ref: file } }, isOfWrite ? shown : {});
}

function list(file) {
  return envelope({ data: { type: "array", items: { $ref: file } }, pagination: { $ref: "../common/Pagination.yaml" } });
}

function versionList(file) {
  const reasons = {
    type: "array",
    description: "Reasons for the versions on this page, newest first.",
    items: { $ref: "../common/VersionReason.yaml" },
  };
  return envelope({ data: { type: "array", items: { $ref: file } }, reasons, pagination: { $ref: "../common/Pagination.yaml" } });
}

function envelope(required, optional = {}) {
  return {
    type: "object",
    unevaluatedProperties: false,
    required: ["message", ...Object.keys(required)],
    properties: { message: { type: "string" }, ...required, ...optional },
  };
}
