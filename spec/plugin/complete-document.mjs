import { completeEntityOperation } from "./complete-entity-operation.mjs";
import { completeOperation, isWrite } from "./complete-operation.mjs";
import { entityFrom, findKind, unknownEntity } from "./entity.mjs";
import { faultsOfExamples } from "./entity-examples.mjs";
import { completeEnvelopes } from "./envelopes.mjs";
import { addTags } from "./tags.mjs";
import { addVersions } from "./versions.mjs";

const METHODS = ["get", "put", "post", "patch", "delete"];

/**
 * Completes every operation of a document, in place: first from its entity and its kind, then by the rules of its API.
 *
 * @param {object} root
 * @param {object} api Its `rules` and, where it has entities, its `kinds` and `versions`.
 * @param {(reference: { $ref: string }, from?: string) => { node?: object, location?: { source: { absoluteRef: string } } }} resolve
 * @returns {Map<object, { at: (string | number)[], message: string }[]>} Mistakes in path files and entities, by operation, path item
 *   or entity. The plugin's rule reports them.
 */
export function completeDocument(root, { rules, kinds = {}, versions }, resolve) {
  const faults = new Map();
  const report = (node, found) => faults.set(node, [...(faults.get(node) ?? []), ...found]);

  const entities = readEntities(root, resolve);
  for (const { entity, ...fault } of addTags(root, [...entities.values()])) report(entity.node, [fault]);
  const items = Object.entries(root.paths).flatMap(([path, reference]) => {
    const { node: item, location } = resolve(reference);
    return item ? [{ path, reference, item, resolve: (one) => resolve(one, location.source.absoluteRef) }] : [];
  });
  const operationIds = new Set(items.flatMap(({ item }) => listOperations(item).map(({ operation }) => operation.operationId)));
  const added = items.flatMap((item) => addVersions(root, item, { entities, versions, operationIds, report }));
  const operations = [...items, ...added].flatMap(({ item, method, kind, ...rest }) =>
    listOperations(item).map((operation) => ({ ...rest, ...operation, item, kind: operation.method === method ? kind : undefined })),
  );

  for (const { operation, path, shown = path, kind } of operations) completeFromEntity(operation, { shown, kind, entities, kinds, report });
  for (const entity of entities.values()) report(entity.node, faultsOfExamples(entity));
  const schemas = new Map([...entities.values()].map(({ node, schema }) => [node.schema?.$ref, schema]));
  completeEnvelopes(
    operations.map(({ operation, method, resolve: within }) => ({
      operation,
      isWrite: isWrite(method, operation),
      schemaAt: ($ref) => schemas.get($ref) ?? within({ $ref }).node,
    })),
  );
  for (const { item, method, operation } of operations) report(operation, completeOperation(rules, item, method, operation));
  return faults;
}

function readEntities(root, resolve) {
  const entities = Object.entries(root["x-entities"] ?? {}).flatMap(([type, reference]) => {
    const { node, location } = resolve(reference);
    // The linter reports a file that does not exist.
    if (!node) return [];
    const within = (one) => (one ? resolve(one, location.source.absoluteRef).node : undefined);
    return [[type, entityFrom(type, reference.$ref, node, { schema: within(node.schema), example: within(node.example) })]];
  });
  return new Map(entities);
}

function listOperations(item) {
  return METHODS.filter((method) => item[method]).map((method) => ({ method, operation: item[method] }));
}

function completeFromEntity(operation, { shown, kind: given, entities, kinds, report }) {
  const type = operation["x-entity"];
  if (type === undefined) return report(operation, forgotten(operation, entities, kinds));
  const entity = entities.get(type);
  if (!entity) return report(operation, [{ at: ["x-entity"], message: unknownEntity(type) }]);
  const verb = findKind(entity, kinds, operation.operationId);
  const kind = given ?? kinds[verb];
  report(operation, completeEntityOperation(operation, entity, kind, shown));
  if (kind) operation["x-kind"] = kind.name ?? verb;
}

/** An operation that is named like those on an entity must state the entity. Otherwise, its kind has no effect. */
function forgotten({ operationId }, entities, kinds) {
  const entity = [...entities.values()].find((one) => findKind(one, kinds, operationId));
  return entity
    ? [{ at: ["operationId"], message: `State \`x-entity: ${entity.type}\`, from which the kind of this operation follows.` }]
    : [];
}
