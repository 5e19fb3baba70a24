import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
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
