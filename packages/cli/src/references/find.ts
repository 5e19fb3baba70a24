import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Schema } from "@gatehouse/client";

/** An entity that code may read by its name. */
export type Named = { entityType: Schema<"CodeReferenceType">; entityID: string };

export type FoundReference = Named & { file: string; line: number; text: string };

/** Larger files are generated or data. In bytes. */
const MAX_FILE_SIZE = 2 ** 20;
/** The most characters of a line that are shown. */
const MAX_TEXT = 300;

/** The lines of files that have the name of an entity as a string: between quotes, as code passes it to an SDK. */
export function findReferences(folder: string, files: readonly string[], named: readonly Named[]): FoundReference[] {
  const byName = new Map<string, Named[]>();
  for (const one of named) byName.set(one.entityID, [...(byName.get(one.entityID) ?? []), one]);
  return files.toSorted().flatMap((file) => {
    const text = readSource(join(folder, file));
    return text === undefined
      ? []
      : text.split(/\r?\n/).flatMap((line, index) => referencesIn(line, byName).map((one) => toReference(one, file, index, line)));
  });
}

const QUOTED = /(["'`])((?:(?!\1)[^\\\n]){1,250})\1/g;

/** The entities that a line names, each once. */
function referencesIn(line: string, byName: ReadonlyMap<string, readonly Named[]>): Named[] {
  if (line.length > 10_000) return [];
  const names = new Set([...line.matchAll(QUOTED)].map(([, , name = ""]) => name));
  return [...names].flatMap((name) => byName.get(name) ?? []);
}

function toReference(one: Named, file: string, index: number, line: string): FoundReference {
  return { ...one, file, line: index + 1, text: line.trim().slice(0, MAX_TEXT) };
}

/** The text of a source file. Undefined for other files: large or binary ones, and links that lead nowhere. */
function readSource(file: string): string | undefined {
  try {
    const facts = statSync(file);
    if (!facts.isFile() || facts.size > MAX_FILE_SIZE) return undefined;
    const content = readFileSync(file);
    return content.includes(0) ? undefined : content.toString("utf8");
  } catch {
    return undefined;
  }
}
