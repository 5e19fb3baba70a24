import type { Permission } from "@gatehouse/contract";
import type { Answer, Call, CallOperation } from "./call-operation.ts";
import type { Catalog, ToolOperation } from "./catalog.ts";
import type { DocsPages } from "./docs-pages.ts";
import { failure, type ToolResult, toResult } from "./results.ts";

/** What a tool works with: the caller's access, the operations and the documentation. */
export type ToolEnv = {
  catalog: Catalog;
  docs: DocsPages;
  call: CallOperation;
  permissions: ReadonlySet<Permission>;
  /** Whether tools can make changes with the key. */
  mayWrite: boolean;
};

/** A JSON Schema of arguments, as the protocol lists it. */
type ArgumentsSchema = { type: "object"; properties: Record<string, object>; required?: string[]; additionalProperties: false };

/** A tool of the MCP server. Its arguments have been checked when it runs. */
export type Tool<Arguments = never> = {
  name: string;
  title: string;
  description: string;
  inputSchema: ArgumentsSchema;
  /** Whether it changes nothing. */
  isReadOnly: boolean;
  run(given: Arguments, env: ToolEnv): Promise<ToolResult>;
};

/** Calls an operation, and returns its response as the result of the tool. */
export async function callTool(operationId: string, call: Call, env: ToolEnv): Promise<ToolResult> {
  const operation = findOperation(operationId, env);
  return typeof operation === "string" ? failure(operation) : toResult(operation, await env.call(operation, call));
}

/** Calls an operation that exists. */
export function answerOf(operationId: string, call: Call, { catalog, call: send }: ToolEnv): Promise<Answer> {
  const operation = catalog.operations.get(operationId);
  if (!operation) throw new Error(`The contract has no operation ${operationId} for tools.`);
  return send(operation, call);
}

/** An operation that tools can call, or why they cannot. */
export function findOperation(operationId: string, { catalog }: ToolEnv): ToolOperation | string {
  const unknown = `The operation ${operationId} does not exist. Use find_operations to find one.`;
  return catalog.operations.get(operationId) ?? catalog.reasonAgainst(operationId) ?? unknown;
}

/** Faults of the path parameters of a call, as text. */
export function pathFaults({ parameters }: ToolOperation, path: Record<string, unknown> = {}): string[] {
  const names = parameters.flatMap((one) => (one.in === "path" ? [one.name] : []));
  const missing = names.filter((name) => !Object.hasOwn(path, name)).map((name) => `path.${name} is required.`);
  const unknown = Object.keys(path).filter((name) => !names.includes(name));
  return [...missing, ...unknown.map((name) => `path.${name} is unknown.`)];
}
