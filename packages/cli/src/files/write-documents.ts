import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { fileError } from "../cli-error.ts";
import type { Configuration, Entity } from "./documents.ts";
import { identify, KINDS, type Kind } from "./kinds.ts";

export type Format = "yaml" | "json";

/** The text of a value. Equal values have equal texts. */
export function toText(value: unknown, format: Format): string {
  if (format === "json") return `${JSON.stringify(value, null, 2)}\n`;
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** The files of a configuration in a folder, each with its text: one for each entity, and one each for all environments and for the settings. */
function toFiles(configuration: Configuration, format: Format): Map<string, string> {
  const files = new Map<string, string>();
  const taken = new Set<string>();
  for (const kind of KINDS) {
    const entities = configuration[kind];
    if (entities === undefined) continue;
    if (kind === "environments") files.set(`${kind}.${format}`, toText(entities, format));
    else if (kind === "settings") files.set(`${kind}.${format}`, toText(entities[0], format));
    else for (const entity of entities) files.set(`${kind}/${fileName(kind, entity, taken)}.${format}`, toText(entity, format));
  }
  return files;
}

/** A file name for an entity. Characters that some file systems refuse are escaped. Names that differ only in case get a number. */
function fileName(kind: Kind, entity: Entity, taken: Set<string>): string {
  const escaped = identify(kind, entity).replaceAll(
    /[%/\\:*?"<>|\p{Cc}]|^\.|[. ]$/gu,
    (one) => `%${one.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
  for (let count = 1; ; count++) {
    const name = count === 1 ? escaped : `${escaped}~${count}`;
    const key = `${kind}/${name}`.toLowerCase();
    if (taken.has(key)) continue;
    taken.add(key);
    return name;
  }
}

type Written = { written: string[]; removed: string[] };

/**
 * Writes a configuration into a folder. Files that are equal already are not touched.
 * @param kinds those whose other files in the folder are removed, because the project no longer has their entities
 */
export function writeFolder(
  folder: string,
  configuration: Configuration,
  { format, kinds }: { format: Format; kinds: readonly Kind[] },
): Written {
  const files = toFiles(configuration, format);
  const written: string[] = [];
  try {
    for (const [name, text] of files) {
      const file = join(folder, name);
      if (existsSync(file) && readFileSync(file, "utf8") === text) continue;
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      written.push(file);
    }
    const present = kinds.filter((kind) => kind !== "environments" && existsSync(join(folder, kind)));
    const old = present.flatMap((kind) => readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`));
    const removed = old.filter((name) => name.endsWith(`.${format}`) && !files.has(name)).map((name) => join(folder, name));
    for (const file of removed) rmSync(file);
    return { written, removed };
  } catch (error) {
    throw fileError(folder, error);
  }
}
