import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join, relative } from "node:path";
import type { Schema } from "@gatehouse/client";
import { LineCounter, type ParsedNode, parseDocument } from "yaml";
import { CliError, fileError } from "../cli-error.ts";
import { isKind, KINDS, type Kind } from "./kinds.ts";
import { readText } from "./read-text.ts";

export type Entity = { [field: string]: unknown };
export type Configuration = { [kind in Kind]?: Entity[] } & Schema<"Configuration">;

/** The place of an entity in a file. */
type Source = { file: string; lineAt(path: readonly (string | number)[]): number | undefined };

/** A configuration, and where each of its entities is stated. */
export type Documents = { configuration: Configuration; placeOf(property: string): string | undefined };

/** Reads files, folders, and `-` for the standard input. @throws CliError */
export function readDocuments(paths: readonly string[]): Documents {
  const sources = new Map<Kind, Source[]>();
  const configuration: Configuration = {};
  const add = (kind: Kind, entities: readonly unknown[], source: (index: number) => Source) => {
    const list = configuration[kind] ?? [];
    const known = sources.get(kind) ?? [];
    for (const [index, entity] of entities.entries()) {
      list.push(entity as Entity);
      known.push(source(index));
    }
    configuration[kind] = list;
    sources.set(kind, known);
  };
  for (const { file, root } of paths.flatMap(listFiles)) readFile(file, root, add);
  return { configuration, placeOf: (property) => placeOf(property, sources) };
}

type Found = { file: string; root: string };

const EXTENSIONS = [".yaml", ".yml", ".json"];

function listFiles(path: string): Found[] {
  if (path === "-") return [{ file: "-", root: "." }];
  try {
    if (!statSync(path).isDirectory()) return [{ file: path, root: dirname(path) }];
    const names = readdirSync(path, { recursive: true, encoding: "utf8" }).sort();
    const isHidden = (name: string) => name.split(/[\\/]/).some((part) => part.startsWith(".") || part === "node_modules");
    const found = names.filter((name) => EXTENSIONS.includes(extname(name)) && !isHidden(name));
    return found.map((name) => ({ file: join(path, name), root: path }));
  } catch (error) {
    throw fileError(path, error);
  }
}

type Add = (kind: Kind, entities: readonly unknown[], source: (index: number) => Source) => void;

/** A file in a folder with the name of a kind has an entity of this kind, or a list. So does a file with such a name. Others have lists by kind. */
function readFile(file: string, root: string, add: Add): void {
  const { value, source } = parseFile(file);
  if (value === null || value === undefined) return;
  const parts = relative(root, file).split(/[\\/]/);
  const folder = parts.length > 1 ? (parts.at(-2) as string) : basename(root);
  const name = basename(file, extname(file));
  const kind = isKind(folder) ? folder : isKind(name) ? name : undefined;
  if (kind !== undefined) {
    const list = Array.isArray(value) ? value : [value];
    add(kind, list, (index) => source(Array.isArray(value) ? [index] : []));
    return;
  }
  if (typeof value !== "object" || Array.isArray(value)) throw new CliError(`${file} must have lists by kind, such as gates.`);
  for (const [key, entities] of Object.entries(value as object)) {
    if (!isKind(key)) throw new CliError(`${file}: ${key} is not a kind of configuration.`, `Kinds: ${KINDS.join(", ")}.`);
    if (!Array.isArray(entities)) throw new CliError(`${file}: ${key} must be a list.`);
    add(key, entities, (index) => source([key, index]));
  }
}

function parseFile(file: string): { value: unknown; source(at: readonly (string | number)[]): Source } {
  const lines = new LineCounter();
  const document = parseDocument(readText(file), { lineCounter: lines, prettyErrors: true });
  const [error] = document.errors;
  if (error) throw new CliError(`${file}: ${error.message}`);
  const lineAt = (path: readonly (string | number)[]): number | undefined => {
    for (let length = path.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : (document.getIn(path.slice(0, length), true) as ParsedNode | undefined);
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return undefined;
  };
  return { value: document.toJS({ maxAliasCount: 100 }), source: (at) => ({ file, lineAt: (path) => lineAt([...at, ...path]) }) };
}

/** `configuration.gates[3].rules[0].name` → `gates/new_checkout.yaml:12 rules[0].name` */
function placeOf(property: string, sources: ReadonlyMap<Kind, readonly Source[]>): string | undefined {
  const [, kind = "", index = "", rest = ""] = /^configuration\.(\w+)\[(\d+)\]\.?(.*)$/.exec(property) ?? [];
  const source = isKind(kind) ? sources.get(kind)?.[Number(index)] : undefined;
  if (!source) return undefined;
  const path = [...rest.matchAll(/([^.[\]]+)/g)].map(([, part = ""]) => (/^\d+$/.test(part) ? Number(part) : part));
  const line = source.lineAt(path);
  return `${source.file}${line === undefined ? "" : `:${line}`}${rest === "" ? "" : ` ${rest}`}`;
}
