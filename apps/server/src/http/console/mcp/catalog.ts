import { type OperationDescription, valueAt } from "@gatehouse/contract";
import type { Document } from "../../common/document.ts";

/** An operation that tools can call, with the words of its documentation. */
export type ToolOperation = OperationDescription & { summary: string; tags: string[]; documentation: string };

/** The operations of an API that tools can call. */
export type Catalog = {
  operations: ReadonlyMap<string, ToolOperation>;
  /** Finds operations by words of their names and descriptions, the best match first. */
  find(words: string, filter: { isWrite?: boolean | undefined }): ToolOperation[];
  /** Why no tool can call an operation of the API; undefined if one can, or if the operation does not exist. */
  reasonAgainst(operationId: string): string | undefined;
  /** The parameters and the body of an operation as JSON Schema, and an example of the body. */
  describe(operation: ToolOperation): object;
};

/** Access that only a person has. */
const OF_PEOPLE: readonly unknown[] = ["none", "session", "administrator"];
/** Reads whose answer is a secret, which has no place in the context of a model. */
const SECRETS: ReadonlySet<string> = new Set(["getChangeValidationSecret", "getWebhookSecret"]);
/** How much a word counts in the id, the summary, the tags and the description of an operation. */
const WEIGHTS = { id: 8, summary: 6, tags: 4, documentation: 1 };

/** Parameters that a tool sets itself, or that its other arguments set. */
const OF_TOOLS: ReadonlySet<string> = new Set(["dryRun", "requestReview", "impact"]);

export function createCatalog(document: Document, descriptions: Record<string, OperationDescription>): Catalog {
  const all = Object.values(descriptions);
  const operations = new Map(
    all.flatMap((one) => (whyNot(one) === undefined ? [[one.operationId, withDocumentation(document, one)] as const] : [])),
  );
  const indexed = [...operations.values()].map((operation) => ({ operation, index: toIndex(operation) }));
  return {
    operations,
    find(words, { isWrite }) {
      const wanted = toWords(words);
      const scored = indexed
        .filter(({ operation }) => isWrite === undefined || operation.isWrite === isWrite)
        .map(({ operation, index }) => ({ operation, score: score(index, wanted) }))
        .filter((one) => one.score > 0);
      return scored.sort((a, b) => b.score - a.score).map(({ operation }) => operation);
    },
    reasonAgainst(operationId) {
      const description = Object.hasOwn(descriptions, operationId) ? descriptions[operationId] : undefined;
      return description && whyNot(description);
    },
    describe: (operation) => describe(document, operation),
  };
}

function whyNot({ operationId, permission, answersJSON }: OperationDescription): string | undefined {
  if (OF_PEOPLE.includes(permission)) return `${operationId} is only for people who are signed in.`;
  if (!answersJSON) return `${operationId} sends a file or a stream. Use the console API.`;
  if (SECRETS.has(operationId)) return `${operationId} returns a secret. Use the console API.`;
  return undefined;
}

function withDocumentation(document: Document, description: OperationDescription): ToolOperation {
  const { summary = "", description: documentation = "", tags = [] } = documentedAt(document, description);
  return { ...description, summary, tags, documentation };
}

type Documented = { summary?: string; description?: string; tags?: string[] };

function documentedAt({ paths }: Document, { path, method }: OperationDescription): Documented {
  return (paths[path] as Record<string, Documented>)[method] ?? {};
}

type Index = Record<keyof typeof WEIGHTS, Set<string>>;

function toIndex({ operationId, summary, tags, documentation }: ToolOperation): Index {
  return {
    id: new Set(toWords(operationId)),
    summary: new Set(toWords(summary)),
    tags: new Set(toWords(tags.join(" "))),
    documentation: new Set(toWords(documentation)),
  };
}

function score(index: Index, wanted: string[]): number {
  let sum = 0;
  for (const word of wanted) {
    for (const [part, weight] of Object.entries(WEIGHTS)) if (index[part as keyof Index].has(word)) sum += weight;
  }
  return sum;
}

/** The words of a text in small letters, without a plural `s`: `listGates` → list, gate */
export function toWords(text: string): string[] {
  const parts =
    text
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(parts.map((word) => (word.length > 3 ? word.replace(/s$/, "") : word)))];
}

function describe(document: Document, operation: ToolOperation): object {
  const { operationId, summary, documentation, permission, isWrite, method, path, parameters, body, takesIfMatch, takesApplyAt } =
    operation;
  const given = (place: "path" | "query") => {
    const own = parameters.filter((one) => one.in === place && !OF_TOOLS.has(one.name));
    return own.map(({ name, isRequired, schema, example }) => ({ name, isRequired, schema: valueAt(document, schema), example }));
  };
  const described = {
    ...{ operationId, summary, description: documentation, permission, isWrite, method, endpoint: path },
    ...(isWrite && { takesIfMatch, canRequestReview: takesApplyAt }),
    path: given("path"),
    query: given("query"),
    ...(body && { body: valueAt(document, body.schema), isBodyRequired: body.isRequired }),
    ...(body?.example !== undefined && { exampleBody: valueAt(document, body.example) }),
  };
  return { ...withLocalReferences(described), schemas: referencedSchemas(document, described) };
}

const SCHEMAS = "#/components/schemas/";

/** All schemas that a value references, directly or through others, by name. */
function referencedSchemas(document: Document, from: unknown): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { $ref } = value as { $ref?: unknown };
    if (typeof $ref === "string" && $ref.startsWith(SCHEMAS)) {
      const name = $ref.slice(SCHEMAS.length);
      if (Object.hasOwn(found, name)) return;
      found[name] = null;
      const schema = valueAt(document, $ref);
      found[name] = withLocalReferences(schema);
      visit(schema);
    } else for (const part of Object.values(value)) visit(part);
  };
  visit(from);
  return found;
}

/** The value with references to the schemas beside it. */
function withLocalReferences<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll(`"${SCHEMAS}`, '"#/schemas/')) as T;
}
