import { routes } from "@gatehouse/contract/console";
import type { Addressed } from "../store/precondition.ts";
import { entitySlices } from "./kinds.ts";

/** What each path that reads an entity is about. */
const ADDRESSED_BY_PATH = entitySlices.flatMap(({ kind, overridesKind, operations: { read, readOverrides } }) => [
  { path: routes[read].path, type: kind.type },
  ...(overridesKind && readOverrides ? [{ path: routes[readOverrides].path, type: overridesKind.type }] : []),
]);

/** The entity that an operation at a path of the contract is about; undefined where it is about none. */
export function addressedBy(path: string): Addressed | undefined {
  const candidates = ADDRESSED_BY_PATH.filter((read) => path === read.path || path.startsWith(`${read.path}/`));
  const [nearest] = candidates.toSorted((a, b) => b.path.length - a.path.length);
  return nearest && { type: nearest.type, parameter: /\{(\w+)\}/.exec(nearest.path)?.[1] };
}
