import { routes } from "@gatehouse/contract/console";
import type { Addressed } from "../store/requests/precondition.ts";
import { entitySlices } from "./kinds.ts";

/** Each path that reads an entity, with the entity's type. */
const ADDRESSED_BY_PATH = entitySlices.flatMap(({ kind, overridesKind, operations: { read, readOverrides } }) => [
  { path: routes[read].path, type: kind.type },
  ...(overridesKind && readOverrides ? [{ path: routes[readOverrides].path, type: overridesKind.type }] : []),
]);

/** The entity that a path of the contract addresses. Undefined if it addresses none. */
export function addressedBy(path: string): Addressed | undefined {
  const candidates = ADDRESSED_BY_PATH.filter((read) => path === read.path || path.startsWith(`${read.path}/`));
  const [nearest] = candidates.toSorted((a, b) => b.path.length - a.path.length);
  return nearest && { type: nearest.type, parameter: /\{(\w+)\}/.exec(nearest.path)?.[1] };
}
