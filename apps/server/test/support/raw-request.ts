import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";

type Raw = { method?: string; headers?: Record<string, string> };
type RawAnswer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer; text: string };

/** Sends a target as it is, with no headers but the given ones, and leaves the body encoded: `fetch` does neither. */
export async function sendRaw(url: string, target: string, { method = "GET", headers = {} }: Raw = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, path: target, method, headers }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return { status: response.statusCode ?? 0, headers: response.headers, bytes, text: bytes.toString() };
}
