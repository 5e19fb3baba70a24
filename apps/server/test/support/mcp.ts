import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { neededParameters, type SweptOperation } from "./operations.ts";
import type { TestServer } from "./server.ts";

/** The result of a tool: its text, parsed if it is JSON. */
export type ToolAnswer = { isError: boolean; text: string; body: any };

/** Connects a client of the official SDK with a key. Each era of the protocol has clients: without sessions since 2026, with a handshake before. */
export async function connectClient({ url, key }: Pick<TestServer, "url" | "key">, given = key, era: "legacy" | "modern" = "modern") {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    { versionNegotiation: { mode: era === "modern" ? { pin: "2026-07-28" } : "legacy" } },
  );
  const headers = { Authorization: `Bearer ${given}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
  return {
    client,
    async call(name: string, args: Record<string, unknown> = {}): Promise<ToolAnswer> {
      const { content, isError = false } = await client.callTool({ name, arguments: args });
      const text = content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { isError, text, body: /^[{[]/.test(text) ? JSON.parse(text) : undefined };
    },
  };
}

/** Why no tool calls an operation, beside its permission. */
export const OUTSIDE = /returns a secret|sends a file or a stream|is only for people/;

type Connected = Pick<Awaited<ReturnType<typeof connectClient>>, "call">;
type Sent = { parameters?: Record<string, string> | undefined; body?: object | undefined };

/** Sends an operation by the tool for it, with the parameters that it requires. A write is applied where tools can show its response. */
export function sendByTool(connected: Connected, operation: SweptOperation, sent: Sent): Promise<ToolAnswer> {
  return callByTool(connected, operation, sent, operation.shownOnce ? "dry_run" : "apply");
}

/** The same, with a mode for writes. */
export function callByTool({ call }: Connected, operation: SweptOperation, { parameters = {}, body }: Sent, mode = "dry_run") {
  const names = operation.parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const path = Object.fromEntries(names.map((name) => [name, parameters[name] ?? (name === "version" ? 1 : "absent")]));
  const query = Object.fromEntries(neededParameters(operation).map(({ name, example }) => [name, example]));
  const args = { operationId: operation.operationId, path, query, ...(body && { body }) };
  return operation.isWrite ? call("change", { ...args, mode }) : call("read", args);
}
