import type { Scalar } from "./form-edits.ts";
import { type Fault, findMember, hasPlace, type Node, parseJson5 } from "./json5-tree.ts";
import { keyHints, type SchemaObject, schemasAt } from "./schema-hints.ts";

/** A key of the object that a form shows. `value` is undefined while the key is not set. */
export type Field = { key: string; description: string; isRequired: boolean } & Content;

type Content =
  | { kind: "text"; value: string | null | undefined }
  /** A value of another type than the schema's is shown until one of the right type replaces it. */
  | { kind: "number"; value: Scalar | undefined }
  | { kind: "boolean"; value: Scalar | undefined }
  | { kind: "choice"; value: Scalar | undefined; choices: Scalar[] }
  /** A list. Undefined items: it is not set. Without a new item, the form cannot add one, since the schema asks for more than a form edits. */
  | { kind: "list"; items: Item[] | undefined; newItem: Scalar | undefined }
  /** A value that a form does not edit: an object, or a value of unknown type. A form adds a key to an empty object. */
  | { kind: "nested"; summary: string; isExtensible?: true };

/** The value of a key that a form edits, or an item of its list. */
export type Item = Exclude<Content, { kind: "list" }>;

/** The fields of an object, or why it has none. */
export type Form = { fields: Field[]; isExtensible: boolean; why?: undefined } | { fields?: undefined; why: string };

const MAX_CHOICES = 100;

/** The fields of the object that a text is: those that the schema names, then the other keys. */
export function parseForm(text: string, schema: unknown): Form {
  const { root, fault } = parseJson5(text);
  if (root === undefined) return { why: `Fix the error in the text to use the form: ${fault.message}` };
  if (root.kind !== "object") return { why: "The form works for objects only." };
  const hints = keyHints(schema, []);
  const known = new Set(hints.map(({ key }) => key));
  const others = new Set(root.members.map(({ key }) => key).filter((key) => !known.has(key)));
  return {
    isExtensible: takesNewKeys(schemasAt(schema, [])),
    fields: [
      ...hints.map(({ key, description, isRequired }) => toField({ key, description, isRequired }, findMember(root, key)?.value, schema)),
      ...[...others].map((key) => toField({ key, description: "", isRequired: false }, findMember(root, key)?.value, schema)),
    ],
  };
}

/** Whether an object can get a key that its schema does not name. */
const takesNewKeys = (schemas: readonly SchemaObject[]): boolean =>
  schemas.every(({ additionalProperties, unevaluatedProperties }) => additionalProperties !== false && unevaluatedProperties !== false);

type Common = Pick<Field, "key" | "description" | "isRequired">;

function toField(common: Common, node: Node | undefined, schema: unknown): Field {
  const schemas = schemasAt(schema, [common.key]);
  const isList = node === undefined ? schemas.some(({ type }) => type === "array") : node.kind === "array";
  if (!isList) {
    const isExtensible = node?.kind === "object" && node.members.length === 0 && takesNewKeys(schemas);
    return { ...common, ...toItem(node, schemas), ...(isExtensible && { isExtensible }) } as Field;
  }
  const items = node?.kind === "array" ? node.items.map((item, index) => toItem(item, schemasAt(schema, [common.key, index]))) : undefined;
  const next = toItem(undefined, schemasAt(schema, [common.key, items?.length ?? 0]));
  return { ...common, kind: "list", items, newItem: newItem(next, items?.at(-1)) };
}

function toItem(node: Node | undefined, schemas: readonly SchemaObject[]): Item {
  if (node?.kind === "object" || node?.kind === "array") return { kind: "nested", summary: summarize(node) };
  const value = node?.value;
  const choices = listChoices(schemas);
  if (choices !== null) return { kind: "choice", value, choices };
  const isMissing = value === undefined || value === null;
  const kind = findKind(schemas) ?? (isMissing ? null : kindOfValue(value));
  if (kind === "text") return { kind, value: isMissing ? value : String(value) };
  if (kind !== null) return { kind, value };
  return { kind: "nested", summary: value === null ? "null" : "not set" };
}

/** The value of an item that is added: of the type that the schema names, else of the last item's. */
function newItem(next: Item, last: Item | undefined): Scalar | undefined {
  const { kind } = next.kind === "nested" && last !== undefined ? last : next;
  if (next.kind === "choice") return next.choices[0];
  return { text: "", number: 0, boolean: false, choice: undefined, nested: undefined }[kind];
}

function summarize(node: Extract<Node, { kind: "object" | "array" }>): string {
  const [count, noun] = node.kind === "object" ? [node.members.length, "key"] : [node.items.length, "item"];
  return count === 0 ? (node.kind === "object" ? "an empty object" : "an empty list") : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The values that the schema permits, if it lists some and all of them fit a form. */
function listChoices(schemas: readonly SchemaObject[]): Scalar[] | null {
  const lists = schemas.map((schema) => schema.enum).filter((list) => Array.isArray(list));
  const [list] = lists;
  if (lists.length !== 1 || list === undefined || list.length === 0 || list.length > MAX_CHOICES) return null;
  return list.every(isScalar) ? [...new Set(list)] : null;
}

const isScalar = (value: unknown): value is Scalar => value === null || ["string", "number", "boolean"].includes(typeof value);

type Kind = "text" | "number" | "boolean";

function kindOfValue(value: string | number | boolean): Kind {
  if (typeof value === "string") return "text";
  return typeof value === "number" ? "number" : "boolean";
}

const KINDS: Record<string, Kind | undefined> = { string: "text", number: "number", integer: "number", boolean: "boolean" };

/** The kind of the only type that the schema permits beside null. */
function findKind(schemas: readonly SchemaObject[]): Kind | null {
  const types = new Set(schemas.flatMap((schema) => [schema.type].flat()).filter((type) => typeof type === "string" && type !== "null"));
  const kinds = new Set([...types].map((type) => KINDS[String(type)] ?? null));
  const [kind = null] = kinds;
  return kinds.size === 1 ? kind : null;
}

/** Faults by the key at which or in whose value they are, or which is missing, and the others. */
export function faultsByField(text: string, faults: readonly Fault[]): { byKey: Map<string, Fault[]>; others: Fault[] } {
  const { root } = parseJson5(text);
  const members = root?.kind === "object" ? root.members : [];
  const byKey = new Map<string, Fault[]>();
  const others: Fault[] = [];
  for (const fault of faults) {
    const member = hasPlace(fault) ? members.find(({ from, to }) => from <= fault.from && fault.from < to) : undefined;
    const key = fault.missing ?? member?.key;
    if (key === undefined) others.push(fault);
    else byKey.set(key, [...(byKey.get(key) ?? []), fault]);
  }
  return { byKey, others };
}
