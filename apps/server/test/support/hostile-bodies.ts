import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import type { SweptOperation } from "./operations.ts";

type Node = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Node>;
  items?: Node;
  allOf?: Node[];
  anyOf?: Node[];
  oneOf?: Node[];
};
/** Property names, and `*` for an array item. */
type Place = string[];

const MAX_DEPTH = 8;

/** The largest invalid bodies that pass an operation's limits and reach its validation, each with a title. */
export function hostileBodies(operation: SweptOperation): { title: string; body: string }[] {
  const places = arrayPlaces(operation);
  const inArrays = places.flatMap((place, index) => {
    // The first array gets every kind of item, each other one a single kind in turn. All combinations would take minutes.
    const kinds = index === 0 ? KINDS : [KINDS[index % KINDS.length] as (typeof KINDS)[number]];
    return kinds.map(({ name, item, values }) => ({
      title: `${place.join(".") || "the body"}: ${name}`,
      body: around(place, fill(operation, item, values)),
    }));
  });
  return [
    ...inArrays,
    { title: "unknown names", body: names(operation, (index) => `unknown ${index}`) },
    { title: "nearly known names", body: names(operation, (index) => `nmae${index.toString(36)}`) },
    { title: "one name", body: `{${JSON.stringify("n".repeat(operation.maxBytes - 100))}:[]}` },
  ];
}

const KINDS = [
  { name: "numbers", item: "1", values: 1 },
  { name: "empty objects", item: "{}", values: 1 },
  { name: "nulls", item: "null", values: 1 },
  { name: "nested arrays", item: `${"[".repeat(40)}${"]".repeat(40)}`, values: 40 },
  { name: "short texts", item: '"a"', values: 1 },
];

/** An array of as many items as the limits allow, with a margin for the surrounding values. */
function fill({ maxBytes, maxValues }: SweptOperation, item: string, values: number): string {
  const count = Math.min(Math.floor((maxValues - 100) / values), Math.floor((maxBytes - 1_000) / (item.length + 1)));
  return `[${Array.from({ length: count }, () => item).join(",")}]`;
}

function names({ maxBytes, maxValues }: SweptOperation, createName: (index: number) => string): string {
  const count = Math.min(maxValues - 100, Math.floor((maxBytes - 1_000) / 18));
  return `{${Array.from({ length: count }, (_, index) => `"${createName(index)}":1`).join(",")}}`;
}

function around(place: Place, value: string): string {
  return place.reduceRight((inner, step) => (step === "*" ? `[${inner}]` : `{${JSON.stringify(step)}:${inner}}`), value);
}

/** The places of arrays in an operation's body. */
export function arrayPlaces({ path, method }: SweptOperation): Place[] {
  const document = (path.startsWith("/console/") ? consoleDocument : evaluationDocument) as unknown as Record<string, unknown>;
  const at = (steps: string[]) => steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document);
  const operation = at(["paths", path, method.toLowerCase()]) as { requestBody: { content: Record<string, { schema: Node }> } };
  const found = new Map<string, Place>();
  const walk = (node: Node | undefined, place: Place): void => {
    if (!node || place.length > MAX_DEPTH) return;
    if (node.$ref) walk(at(node.$ref.split("/").slice(1)) as Node, place);
    for (const part of [...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) walk(part, place);
    if (node.items || [node.type].flat().includes("array")) {
      found.set(place.join("/"), place);
      walk(node.items, [...place, "*"]);
    }
    for (const [name, property] of Object.entries(node.properties ?? {})) walk(property, [...place, name]);
  };
  walk(operation.requestBody.content["application/json"]?.schema, []);
  return [...found.values()];
}
