import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };

/** An operation of the contract, as a sweep over all of them needs it. */
export type Operation = {
  operationId: string;
  method: string;
  /** `/console/v1/gates/{id}` */
  path: string;
  statuses: string[];
  /** The first example of its request body. */
  example: object | undefined;
  takesBody: boolean;
  needsBody: boolean;
  /** Whether the body is a list, and not an object. */
  takesList: boolean;
  /** The field of the answer's data that a repeat does not show. */
  shownOnce: string | undefined;
  /** The largest body, bytes. */
  maxBytes: number;
  /** The most values of a body. */
  maxValues: number;
};

type Item = {
  operationId: string;
  "x-shown-once"?: string;
  responses: object;
  requestBody?: {
    required?: boolean;
    "x-body-limit"?: number;
    "x-max-values"?: number;
    content: { "application/json": { examples?: Record<string, Example> } };
  };
};
type Example = { value?: object; $ref?: string };
type Document = { paths: object; components?: object };

/** Every operation of the console API. */
export const operations = operationsOf(consoleDocument);

/** Every operation of the evaluation API, which follows rules of its own. */
export const evaluationOperations = operationsOf(evaluationDocument);

function operationsOf(document: Document): Operation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, Item>)
      .filter(([method]) => method !== "parameters")
      .map(([method, operation]) => ({
        operationId: operation.operationId,
        method: method.toUpperCase(),
        path,
        statuses: Object.keys(operation.responses),
        shownOnce: operation["x-shown-once"],
        ...bodyOf(document, operation),
      })),
  );
}

/** Those that change configuration. */
export const writes = operations.filter(({ method }) => method !== "GET");

/** The operations that declare a status. */
export function declaring(status: string): Operation[] {
  return operations.filter(({ statuses }) => statuses.includes(status));
}

/** The operation's path with its parameters filled in. */
export function fill(path: string, parameters: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(parameters[name] ?? (name === "version" ? "1" : "absent")));
}

function bodyOf(
  document: Document,
  operation: Item,
): Pick<Operation, "example" | "takesBody" | "needsBody" | "takesList" | "maxBytes" | "maxValues"> {
  const { requestBody } = operation;
  const example = firstExample(document, operation);
  const { "x-body-limit": maxBytes = 1024 * 1024, "x-max-values": maxValues = 100_000, required: needsBody = false } = requestBody ?? {};
  return { example, takesBody: requestBody !== undefined, needsBody, takesList: Array.isArray(example), maxBytes, maxValues };
}

function firstExample(document: Document, { requestBody }: Item): object | undefined {
  const [example] = Object.values(requestBody?.content["application/json"].examples ?? {});
  if (!example?.$ref) return example?.value;
  const target = example.$ref
    .split("/")
    .slice(1)
    .reduce<unknown>((node, step) => (node as Record<string, unknown>)[step], document);
  return (target as Example).value;
}
