import { addDerived } from "./derived.mjs";
import { unknownEntity } from "./entity.mjs";

const FIELDS = {
  "x-versions": ["x-entity", "list", "restore", "also"],
  list: ["x-permission", "x-uncalled", "description"],
  restore: ["x-permission", "x-unscheduled", "x-uncalled", "description"],
};

/**
 * Adds the operations that list and restore the versions of an entity, which `x-versions` in the path file of the entity asks for.
 * `also` has further operations of the path that lists versions.
 *
 * @returns {object[]} The added path items.
 */
export function addVersions(root, { path, reference, item, resolve }, { entities, versions, operationIds, report }) {
  const stated = item["x-versions"];
  if (!stated) return [];
  delete item["x-versions"];
  const { "x-entity": type, list = {}, restore = {}, also = {} } = stated;
  report(item, [...unknownFields("x-versions", stated), ...unknownFields("list", list), ...unknownFields("restore", restore)]);
  const entity = entities.get(type);
  const identifier = /\{(\w+)\}$/.exec(path)?.[1];
  if (!entity || !identifier) {
    const message = entity ? "The path of an entity ends with a parameter." : unknownEntity(type);
    report(item, [{ at: ["x-versions"], message }]);
    return [];
  }

  const isDeletable = operationIds.has(`delete${entity.name}`);
  const kindWith = ({ description, ...kind }) => ({ ...kind, description: (words) => description({ ...words, identifier, isDeletable }) });
  const shown = path.replace(`{${identifier}}`, encodeURIComponent(entity.example[identifier] ?? entity.example.id));
  const operation = (operationId, fields) => ({ operationId, "x-entity": type, ...fields });

  return [
    {
      name: "versions",
      path: `${path}/versions`,
      shown: `${shown}/versions`,
      item: { parameters: item.parameters, get: operation(`list${entity.name}Versions`, { "x-permission": "read", ...list }), ...also },
      method: "get",
      kind: { ...kindWith(versions.list), name: "listVersions" },
    },
    {
      name: "restore",
      path: `${path}/versions/{version}/restore`,
      item: {
        parameters: [...item.parameters, ...versions.restore.pathParameters.map(($ref) => ({ $ref }))],
        post: operation(`restore${entity.name}Version`, restore),
      },
      method: "post",
      kind: { ...kindWith(versions.restore), name: "restoreVersion" },
    },
  ].map(({ name, ...added }) => {
    addDerived(item, name, added.item);
    insertAfter(root.paths, path, added.path, { $ref: `${reference.$ref}#/${name}` });
    return { ...added, resolve };
  });
}

function unknownFields(of, stated) {
  return Object.keys(stated)
    .filter((name) => !FIELDS[of].includes(name))
    .map((name) => ({ at: ["x-versions"], message: `\`${of}\` has no field ${name}, only ${FIELDS[of].join(", ")}.` }));
}

/** Puts a path behind all that are below another one. */
function insertAfter(paths, above, path, reference) {
  const entries = Object.entries(paths);
  const last = entries.findLastIndex(([one]) => one === above || one.startsWith(`${above}/`));
  for (const [one] of entries.slice(last + 1)) delete paths[one];
  Object.assign(paths, { [path]: reference }, Object.fromEntries(entries.slice(last + 1)));
}
