import { hashName } from "@gatehouse/evaluation";
import { holdoutName } from "../compile/names.ts";
import type { EventOrigin } from "./event-origin.ts";

/** The forms of hashed names for client SDKs: djb2 in decimal, or SHA-256 in base64. */
const HASH = /^(?:\d{1,10}|[A-Za-z0-9+/]{43}=)$/;

type Index = { names: Map<string, string>; hashed: Set<string>; time: number };

const indexes = new WeakMap<EventOrigin["project"], Index>();

/** The name for which client SDKs have a hash: they know the names in secondary exposures and of allocated experiments by it alone. */
export function plainName({ project, time }: EventOrigin, given: string): string {
  if (!HASH.test(given)) return given;
  let index = indexes.get(project);
  if (!index) {
    index = { names: new Map(), hashed: new Set(), time: Number.NaN };
    indexes.set(project, index);
  }
  if (index.time !== time) {
    addNames(index, project);
    index.time = time;
  }
  return index.names.get(given) ?? given;
}

/** Hashes only new names. Names of deleted entities stay, and find nothing. */
function addNames({ names, hashed }: Index, project: EventOrigin["project"]): void {
  const holdouts = Array.from(project.holdouts.keys(), (id) => holdoutName(project, id));
  for (const name of [...project.gates.keys(), ...holdouts, ...project.experiments.keys()]) {
    if (hashed.has(name)) continue;
    hashed.add(name);
    for (const algorithm of ["djb2", "sha256"] as const) {
      const hash = hashName(name, algorithm);
      if (!names.has(hash)) names.set(hash, name);
    }
  }
}
