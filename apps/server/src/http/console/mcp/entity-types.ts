import type { EntityType } from "@gatehouse/contract/console";
import type { Catalog } from "./catalog.ts";

/** How entities of a type are listed and read. */
export type ReadableType = {
  type: EntityType;
  /** The type in the plural, as URIs of resources have it: `gates`. */
  plural: string;
  get: string;
  list: string;
  /** The parameter in the path of `get` that names an entity. */
  parameter: string;
  /** Whether lists can be searched. */
  isSearchable: boolean;
};

/** The types of entities that can be listed and read one by one, derived from the kinds of operations. */
export function readableTypes({ operations }: Catalog): ReadableType[] {
  const all = [...operations.values()];
  return all.flatMap(({ kind, entity, operationId, parameters }) => {
    const list = all.find((one) => one.kind === "list" && one.entity === entity);
    const [parameter, ...more] = parameters.filter((one) => one.in === "path");
    if (kind !== "get" || !entity || !list || !parameter || more.length > 0) return [];
    const isSearchable = list.parameters.some(({ name }) => name === "search");
    return [{ type: entity, plural: `${entity}s`, get: operationId, list: list.operationId, parameter: parameter.name, isSearchable }];
  });
}
