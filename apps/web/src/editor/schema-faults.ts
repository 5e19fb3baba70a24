import { dereference, type OutputUnit, type Schema, validate } from "@cfworker/json-schema";
import { type Fault, findMember, jsonValue, type Member, type Node } from "./json5-tree.ts";
import { schemaValue } from "./schema-text.ts";
import { cut, describeKeyword } from "./schema-words.ts";
import { type RootKind, startRange, textFaults } from "./text-faults.ts";

const MAX_FAULTS = 100;
const DRAFT = "2020-12";

type Lookup = ReturnType<typeof dereference>;

/**
 * The faults of a text: its syntax errors, or else where it violates a JSON Schema (its text or value). Without a schema, only the text
 * is checked.
 * A schema can make this take forever: patterns backtrack, and references multiply. Run it where it can be ended.
 */
export function schemaFaults(text: string, schema: unknown, rootKind: RootKind = "object"): Fault[] {
  const { root, faults } = textFaults(text, rootKind);
  if (root === undefined || schema === undefined || schema === null) return faults;
  return [...faults, ...findFaults(root, text, schema)].slice(0, MAX_FAULTS);
}

function findFaults(root: Node, text: string, schema: unknown): Fault[] {
  const unusable = (why: string): Fault[] => [{ from: 0, to: 0, message: `The schema cannot be used here: ${why}`, severity: "warning" }];
  const parsed = schemaValue(schema);
  if (!isSchema(parsed)) return unusable("it is not a JSON Schema.");
  try {
    // A copy, since the library marks the values it reads.
    const copy = structuredClone(parsed);
    const lookup = dereference(copy);
    return placed(listErrors(jsonValue(root), copy, lookup), { root, text, schema: copy, lookup });
  } catch (error) {
    if (error instanceof RangeError) return unusable("it refers to itself without end.");
    return unusable(cut(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)));
  }
}

/** All errors, or only the first ones if there are too many for the stack. @throws RangeError if references have no end */
function listErrors(value: unknown, schema: Schema | boolean, lookup: Lookup): OutputUnit[] {
  try {
    return validate(value, schema, DRAFT, lookup, false).errors;
  } catch (error) {
    if (error instanceof RangeError) return validate(value, schema, DRAFT, lookup, true).errors;
    throw error;
  }
}

const isSchema = (value: unknown): value is Schema | boolean =>
  typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value));

type Context = { root: Node; text: string; schema: Schema | boolean; lookup: Lookup };

/** Errors as faults: each at its place, in plain words, and none that only repeats another one. */
function placed(errors: readonly OutputUnit[], context: Context): Fault[] {
  const faults = new Map<string, Fault>();
  for (const error of withoutRejectedForms(errors)) {
    const fault = toFault(error, context);
    if (fault === null) continue;
    faults.set(`${fault.from} ${fault.to} ${fault.message}`, fault);
    if (faults.size === MAX_FAULTS) break;
  }
  return [...faults.values()].sort((one, other) => one.from - other.from || one.to - other.to);
}

const FORMS = new Set(["anyOf", "oneOf"]);

/**
 * If a value matches none of its possible forms, its faults are those of the only form with its type, or else one fault for all forms.
 * The errors of a form follow it directly.
 */
function withoutRejectedForms(errors: readonly OutputUnit[]): OutputUnit[] {
  const kept: OutputUnit[] = [];
  for (let index = 0; index < errors.length; ) {
    const error = errors[index];
    index += 1;
    if (error === undefined || !FORMS.has(error.keyword)) {
      if (error !== undefined) kept.push(error);
      continue;
    }
    const byForm = new Map<string, OutputUnit[]>();
    for (let inner = errors[index]; inner !== undefined && isWithin(inner, error); inner = errors[index]) {
      const form = formIndex(inner, error);
      const own = byForm.get(form) ?? [];
      own.push(inner);
      byForm.set(form, own);
      index += 1;
    }
    for (const inner of onlyFitting([...byForm.values()], error) ?? [error]) kept.push(inner);
  }
  return kept;
}

/** The errors of the only form with the value's type, or else of the only one with its value. Null without such a form. */
function onlyFitting(forms: readonly OutputUnit[][], error: OutputUnit): OutputUnit[] | null {
  for (const keywords of [["type"], ["type", "const", "enum"]]) {
    const isOther = (inner: OutputUnit) => inner.instanceLocation === error.instanceLocation && keywords.includes(inner.keyword);
    const fitting = forms.filter((own) => !own.some(isOther));
    if (fitting.length === 1 && fitting[0]) return withoutRejectedForms(fitting[0]);
  }
  return null;
}

const isWithin = (error: OutputUnit, form: OutputUnit): boolean =>
  error.keywordLocation.startsWith(`${form.keywordLocation}/`) &&
  (error.instanceLocation === form.instanceLocation || error.instanceLocation.startsWith(`${form.instanceLocation}/`));

const formIndex = (error: OutputUnit, form: OutputUnit): string =>
  error.keywordLocation.slice(form.keywordLocation.length + 1).split("/", 1)[0] ?? "";

/** The place of a keyword that is about the name of a key. */
const OF_KEY = /(?<!\/properties)\/propertyNames\//;

function toFault(error: OutputUnit, context: Context): Fault | null {
  const { root, text, schema, lookup } = context;
  const { node, member } = nodeAt(root, error.instanceLocation);
  const place = member !== undefined && (node.kind === "object" || node.kind === "array") ? member.keyRange : startRange(node, text);
  const missing = missingKey(error);
  const message = missing ?? describeKeyword(error.keyword, findDemand(error.keywordLocation, schema, lookup), node.kind);
  if (message === null) return null;
  if (member !== undefined && OF_KEY.test(error.keywordLocation)) {
    return { ...member.keyRange, message: `The key "${cut(member.key)}" is not permitted. ${message}`, severity: "error" };
  }
  const own = node === root && error.keyword === "required" ? REQUIRED.exec(error.error)?.[1] : undefined;
  if (member === undefined) return { ...place, message, severity: "error", ...(own !== undefined && { missing: own.slice(1, -1) }) };
  if (error.keyword !== "false") return { ...place, message: ofKey(member.key, message), severity: "error" };
  return { ...member.keyRange, message: `The schema does not permit the key "${cut(member.key)}" here.`, severity: "error" };
}

/** A demand with the key whose value it is on: “`size` must be a number.” */
const ofKey = (key: string, message: string): string => message.replace(/^Must\b/, () => `\`${cut(key)}\` must`);

/** The value at a pointer, and the member that holds it if an object does. */
function nodeAt(root: Node, pointer: string): { node: Node; member: Member | undefined } {
  let node = root;
  let member: Member | undefined;
  for (const key of parsePointer(pointer)) {
    member = findMember(node, key);
    const inner = member?.value ?? (node.kind === "array" ? node.items[Number(key)] : undefined);
    if (inner === undefined) break;
    node = inner;
  }
  return { node, member };
}

const parsePointer = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"));

const REQUIRED = /property (".*")\.$/s;

/** The sentence for a key that is missing. The error names it in its text alone. */
function missingKey({ keyword, error }: OutputUnit): string | null {
  if (keyword === "required") return `The key ${REQUIRED.exec(error)?.[1] ?? "of the schema"} is missing.`;
  if (keyword !== "dependentRequired" && keyword !== "dependencies") return null;
  const names = /has (".*") but does not have (".*")\.$/s.exec(error);
  return names && `The key ${names[2]} is missing. It is required beside ${names[1]}.`;
}

/** The value of a keyword in the schema, by the way that validation took to it. Undefined where the way is not known. */
function findDemand(location: string, schema: Schema | boolean, lookup: Lookup): unknown {
  let place: unknown = schema;
  for (const key of parsePointer(location)) {
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return undefined;
    const inner: unknown = (place as Record<string, unknown>)[key];
    place = key === "$ref" && typeof inner === "string" ? (lookup[(place as Schema).__absolute_ref__ ?? inner] ?? inner) : inner;
  }
  return place;
}
