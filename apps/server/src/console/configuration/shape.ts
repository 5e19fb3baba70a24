import document from "@gatehouse/contract/console.json" with { type: "json" };

/** A JSON Schema of the contract, as far as it decides what an export has. */
type JsonSchema = {
  $ref?: string;
  allOf?: JsonSchema[];
  properties?: { [name: string]: JsonSchema };
  items?: JsonSchema;
  required?: string[];
  readOnly?: boolean;
  type?: string | string[];
  minItems?: number;
};

/** The properties of a body. `isList` and `isNullable` say which empty value a property can have. */
export type Shape = {
  readonly properties: ReadonlyMap<string, Shape>;
  readonly required: ReadonlySet<string>;
  readonly items: Shape | undefined;
  readonly isReadOnly: boolean;
  readonly isNullable: boolean;
  /** Whether it is a list that can be empty. */
  readonly isList: boolean;
  readonly isBoolean: boolean;
};

const cache = new Map<JsonSchema, Shape>();

/** @param pointer a JSON pointer into the contract of the console API: `#/components/schemas/GateCreate` */
export function shapeAt(pointer: string): Shape {
  return toShape(schemaAt(pointer));
}

function schemaAt(pointer: string): JsonSchema {
  const steps = pointer
    .slice(2)
    .split("/")
    .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"));
  return steps.reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document) as JsonSchema;
}

/** The schemas that together describe a value: the schema, what it refers to, and the parts of `allOf`. */
function parts(schema: JsonSchema): JsonSchema[] {
  const referred = schema.$ref === undefined ? [] : parts(schemaAt(schema.$ref));
  return [...referred, ...(schema.allOf ?? []).flatMap(parts), schema];
}

function toShape(schema: JsonSchema): Shape {
  const known = cache.get(schema);
  if (known) return known;
  const all = parts(schema);
  const types = all.flatMap(({ type = [] }) => type);
  const items = all.find((one) => one.items)?.items;
  const properties = new Map<string, Shape>();
  const shape: Shape = {
    properties,
    required: new Set(all.flatMap(({ required = [] }) => required)),
    items: undefined,
    isReadOnly: all.some(({ readOnly }) => readOnly === true),
    isNullable: types.includes("null"),
    isList: types.includes("array") && !all.some(({ minItems = 0 }) => minItems > 0),
    isBoolean: types.length === 1 && types[0] === "boolean",
  };
  // Before its parts, since a schema can contain itself.
  cache.set(schema, shape);
  for (const one of all) for (const [name, part] of Object.entries(one.properties ?? {})) properties.set(name, toShape(part));
  return Object.assign(shape, { items: items && toShape(items) });
}
