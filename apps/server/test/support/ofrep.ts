import { expect } from "vitest";
import type { TestServer } from "./server.ts";
import { waitFor } from "./wait-for.ts";

type Options = { key?: string | null; headers?: Record<string, string>; query?: string };
type Context = Record<string, unknown>;
/** A server, or a relay in front of one. */
type Reached = Pick<TestServer, "url" | "send">;

const FLAGS = "/ofrep/v1/evaluate/flags";

/** Evaluates one flag, by default with the console key. */
export function evaluate(server: Reached, flag: string, context: Context, { query = "", ...options }: Options = {}) {
  return server.send("POST", `${FLAGS}/${flag}${query}`, { body: { context }, ...options });
}

/** Evaluates every flag. */
export function evaluateAll(server: Reached, context: Context, { query = "", ...options }: Options = {}) {
  return server.send("POST", `${FLAGS}${query}`, { body: { context }, ...options });
}

/** Waits until the server knows a new flag, since it receives even its own changes by notification. */
export async function untilSeen(server: Reached, flag: string): Promise<void> {
  const look = async () => expect((await evaluate(server, encodeURIComponent(flag), { targetingKey: "nobody" })).status).toBe(200);
  await waitFor(look);
}

/** The URL of a key's stream. */
export async function readStreamUrl(server: Reached, key: string): Promise<string> {
  const { body } = await evaluateAll(server, { targetingKey: "alice" }, { key });
  return body.eventStreams[0].endpoint.requestUri;
}

export type StreamEvent = { id?: string; event?: string; data?: unknown };

export type Listening = {
  status: number;
  headers: Headers;
  /** The fields of the next event; undefined after the end of the stream. */
  next(): Promise<StreamEvent | undefined>;
  close(): void;
};

/** Reads an event stream as a browser does. */
export async function listen(server: Reached, requestUri: string, headers: Record<string, string> = {}): Promise<Listening> {
  const controller = new AbortController();
  const response = await fetch(`${server.url}${requestUri}`, { headers, signal: controller.signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  return {
    status: response.status,
    headers: response.headers,
    async next() {
      while (!text.includes("\n\n")) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
        if (done) return undefined;
        text += value;
      }
      const end = text.indexOf("\n\n");
      const block = text.slice(0, end);
      text = text.slice(end + 2);
      return readBlock(block);
    },
    close: () => controller.abort(),
  };
}

function readBlock(block: string): StreamEvent {
  const fields = block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]);
  const { data, ...rest } = Object.fromEntries(fields);
  return data === undefined ? rest : { ...rest, data: JSON.parse(data) };
}
