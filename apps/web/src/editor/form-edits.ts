import { type ArrayNode, findMember, type Node, type ObjectNode, parseJson5 } from "./json5-tree.ts";
import { changed, type TextChange } from "./text-change.ts";
import { insertion, removal } from "./text-parts.ts";

export type Scalar = string | number | boolean | null;

const IDENTIFIER = /^[$_a-zA-Z][$_a-zA-Z0-9]*$/;

/**
 * Sets a key of the object that a text is. Only its value changes, or a member is added at the end: comments and spelling stay. If the text
 * is not an object, or the value is already set, the text stays as it is.
 */
export function withField(text: string, key: string, value: Scalar): string {
  const root = parseObject(text);
  if (root === null) return text;
  const member = findMember(root, key);
  if (member === undefined) return changed(text, addition(text, root, key, literal(value, undefined)));
  return replaced(text, member.value, value);
}

/** Adds a key to the empty object at a key of the object that a text is. */
export function withNestedField(text: string, outer: string, key: string, value: Scalar): string {
  const root = parseObject(text);
  const nested = root === null ? undefined : findMember(root, outer)?.value;
  if (nested?.kind !== "object" || nested.members.length > 0) return text;
  return changed(text, addition(text, nested, key, literal(value, undefined)));
}

/** Sets an item of the list at a key. Its index is from 0. */
export function withItem(text: string, key: string, index: number, value: Scalar): string {
  const item = findList(text, key)?.items[index];
  return item === undefined ? text : replaced(text, item, value);
}

/** Adds an item at the end of the list at a key. Without the key, a list of the one item is added. */
export function withNewItem(text: string, key: string, value: Scalar): string {
  const list = findList(text, key);
  if (list !== undefined) return changed(text, insertion(text, list, list.items, literal(value, undefined)));
  const root = parseObject(text);
  if (root === null || findMember(root, key) !== undefined) return text;
  return changed(text, addition(text, root, key, `[${literal(value, undefined)}]`));
}

/** Removes an item of the list at a key, with its comma and a line that is empty then. Comments stay. */
export function withoutItem(text: string, key: string, index: number): string {
  const list = findList(text, key);
  const item = list?.items[index];
  return list === undefined || item === undefined ? text : changed(text, removal(text, list.items, item));
}

/** Exchanges two items of the list at a key, each as it is written. Comments around them stay where they are. */
export function withSwappedItems(text: string, key: string, index: number, other: number): string {
  const { items } = findList(text, key) ?? { items: [] };
  const [one, another] = [items[index], items[other]];
  if (one === undefined || another === undefined || index === other) return text;
  return changed(text, [
    { ...one, insert: text.slice(another.from, another.to) },
    { ...another, insert: text.slice(one.from, one.to) },
  ]);
}

function replaced(text: string, node: Node, value: Scalar): string {
  if (node.kind !== "object" && node.kind !== "array" && Object.is(node.value, value)) return text;
  const quote = node.kind === "string" ? text[node.from] : undefined;
  return changed(text, [{ from: node.from, to: node.to, insert: literal(value, quote) }]);
}

function findList(text: string, key: string): ArrayNode | undefined {
  const root = parseObject(text);
  const node = root === null ? undefined : findMember(root, key)?.value;
  return node?.kind === "array" ? node : undefined;
}

/** Removes a key of the object that a text is, with its comma and a line that is empty then. Comments stay. */
export function withoutField(text: string, key: string): string {
  let result = text;
  // A key may be there more than once.
  for (;;) {
    const root = parseObject(result);
    const member = root === null ? undefined : findMember(root, key);
    if (root === null || member === undefined) return result;
    result = changed(result, removal(result, root.members, member));
  }
}

function parseObject(text: string): ObjectNode | null {
  const { root } = parseJson5(text);
  return root?.kind === "object" ? root : null;
}

function literal(value: Scalar, quote: string | undefined): string {
  if (typeof value !== "string") return String(value);
  const written = JSON.stringify(value).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
  return quote === "'" ? `'${written.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'` : written;
}

function addition(text: string, root: ObjectNode, key: string, written: string): TextChange[] {
  const areQuoted = root.members.length > 0 && root.members.every(({ keyRange }) => /["']/.test(text[keyRange.from] ?? ""));
  const member = `${IDENTIFIER.test(key) && !areQuoted ? key : literal(key, '"')}: ${written}`;
  return insertion(text, root, root.members, member);
}
