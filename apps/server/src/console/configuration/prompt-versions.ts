import { isDeepStrictEqual } from "node:util";
import type { Violation } from "../../common/errors.ts";
import { toCanonical } from "./canonical.ts";
import type { Stored } from "./configuration.ts";
import { type Configured, configuredType, type Entity } from "./configured-kinds.ts";
import type { PlannedRequest } from "./entity-requests.ts";

/** A version as files have it. Its name identifies it in its prompt. */
type Version = Entity & { name: string };

/** The entity without its versions, which separate requests write. */
export function withoutVersions({ type }: Configured, entity: Entity): Entity {
  if (type !== "prompt") return entity;
  const { versions: _, liveVersion: __, ...rest } = entity;
  return rest;
}

/** Whether the versions of a prompt in a file can be recognized. Refuses the others by their places. */
export function checkVersions({ versions, liveVersion }: Entity, refuse: (field: string, errorMessage: string) => unknown): boolean {
  const faults: [field: string, errorMessage: string][] = [];
  if (versions !== undefined && !Array.isArray(versions)) faults.push(["versions", "must be array"]);
  const list: unknown[] = Array.isArray(versions) ? versions : [];
  const names = list.map((one) => (one as Entity | null)?.name);
  for (const [index, one] of list.entries()) {
    const name = names[index];
    if (typeof name !== "string" || name === "") faults.push([`versions[${index}].name`, "is required"]);
    else if (names.indexOf(name) < index) faults.push([`versions[${index}].name`, `is the same as that of an earlier version: ${name}`]);
    else if (Object.hasOwn(one as Entity, "isLive"))
      faults.push([`versions[${index}].isLive`, "cannot be in files. Set liveVersion to the name of the version"]);
  }
  if (typeof liveVersion !== "string" && liveVersion !== undefined && liveVersion !== null)
    faults.push(["liveVersion", "must be the name of a version, or null"]);
  else if (typeof liveVersion === "string" && Array.isArray(versions) && !names.includes(liveVersion))
    faults.push(["liveVersion", `is not the name of a version of the prompt: ${liveVersion}`]);
  for (const [field, errorMessage] of faults) refuse(field, errorMessage);
  return faults.length === 0;
}

type Place = { place: string; violations: Violation[] };

/** The requests that add the versions of a new prompt. Adds a violation if `liveVersion` does not name one of them. */
export function firstVersionRequests(id: string, { versions = [], liveVersion }: Entity, place: Place): PlannedRequest[] {
  requireLive(liveVersion, new Set((versions as Version[]).map(({ name }) => name)), place);
  return newVersionRequests(id, { versions, liveVersion }, () => true);
}

function requireLive(liveVersion: unknown, names: ReadonlySet<string>, { place, violations }: Place): void {
  if (typeof liveVersion !== "string" || names.has(liveVersion)) return;
  const errorMessage = `is not the name of a version of the prompt: ${liveVersion}`;
  violations.push({ property: `configuration.${place}.liveVersion`, errorMessage });
}

/** The requests that add the new ones of these versions to a prompt. */
function newVersionRequests(id: string, { versions, liveVersion }: Entity, isNew: (version: Version) => boolean): PlannedRequest[] {
  return (versions as Version[]).flatMap((one, index): PlannedRequest[] => {
    if (!isNew(one)) return [];
    const body = one.name === liveVersion ? { ...one, isLive: true } : one;
    return [{ operationId: "createPromptVersion", path: { id }, body, part: `versions[${index}]` }];
  });
}

type Changes = {
  /** The field of the prompt that makes another version live. */
  live: { liveVersionID?: string | null };
  /** The requests that add and delete versions. */
  requests: PlannedRequest[];
};

/** The changes of the versions of a prompt. A version never changes: adds a violation for one with the same name and something else. */
export function versionChanges(wanted: Entity, { id, entity }: Stored, { place, violations }: Place): Changes {
  const stored = (entity.versions ?? []) as (Version & { id: string })[];
  const current = (toCanonical(configuredType("prompt") as Configured, entity).versions ?? []) as Version[];
  const isManaged = wanted.versions !== undefined;
  const versions = isManaged ? (wanted.versions as Version[]) : current;
  const liveID = (entity.liveVersionID ?? null) as string | null;
  for (const [index, one] of versions.entries()) {
    const before = current.find(({ name }) => name === one.name);
    if (!before || isDeepStrictEqual(before, one)) continue;
    const errorMessage = `cannot be changed. Add a new version with a name other than ${one.name}`;
    violations.push({ property: `configuration.${place}.versions[${index}]`, errorMessage });
  }
  const names = new Set(versions.map(({ name }) => name));
  const { liveVersion } = wanted;
  requireLive(liveVersion, names, { place, violations });
  const removed = stored.filter(({ name }) => !names.has(name));
  const additions = newVersionRequests(id, { versions, liveVersion }, ({ name }) => !stored.some((one) => one.name === name));
  const live = stored.find(({ name }) => name === liveVersion);
  // A live version cannot be deleted, and its successor is not there yet.
  const keepsLive = liveVersion === undefined ? !isManaged : !live && liveVersion !== null && !removed.some((one) => one.id === liveID);
  const nextID = keepsLive ? liveID : (live?.id ?? null);
  const deletions = removed.map((one): PlannedRequest => ({ operationId: "deletePromptVersion", path: { id, versionID: one.id } }));
  return {
    live: nextID === liveID ? {} : { liveVersionID: nextID },
    requests: [...deletions, ...additions],
  };
}
