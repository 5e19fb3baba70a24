import type { ConsoleClient } from "./clients.ts";
import { ConsoleApiError } from "./error.ts";

/** A change of an entity. `seq` is its number in the project. */
export type ChangeEvent = {
  type: "change";
  seq: number;
  /** Milliseconds since the epoch. */
  time: number;
  entityType: string;
  entityID: string;
  version: number;
  operationID: string;
};

/** Changes were missed, so the caller's data may be outdated. */
export type ResetEvent = { type: "reset"; seq: number };

export type ListenOptions = {
  /** Continues after the change with this number. By default it begins with the next change. */
  after?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** The delay before it connects again after the connection broke. Defaults to 2,000 ms. */
  reconnectDelayMs?: number;
};

type SentEvent = { type: string; data: { seq: number } };

/**
 * Changes of the project's entities as they happen: `for await (const change of changes(api)) …`. It connects again when the connection breaks,
 * and continues after the last change. It ends when `signal` is aborted.
 * @throws ConsoleApiError if the server refuses the caller, for example because the key was deactivated
 */
export async function* changes(
  { raw }: Pick<ConsoleClient, "raw">,
  { after, signal, reconnectDelayMs = 2_000 }: ListenOptions = {},
): AsyncGenerator<ChangeEvent | ResetEvent, void, undefined> {
  let last = after;
  while (!signal?.aborted) {
    try {
      for await (const { type, data } of connect(raw, last, signal)) {
        last = data.seq;
        if (type === "change") yield { type, ...data } as ChangeEvent;
        if (type === "reset") yield { type, ...data };
      }
    } catch (error) {
      if (error instanceof ConsoleApiError && error.status < 500 && error.status !== 429) throw error;
    }
    await delay(reconnectDelayMs, signal);
  }
}

async function* connect(raw: ConsoleClient["raw"], after: number | undefined, signal: AbortSignal | undefined): AsyncGenerator<SentEvent> {
  const { data, error, response } = await raw.GET("/console/v1/changes/stream", {
    params: { query: after === undefined ? {} : { after } },
    parseAs: "stream",
    ...(signal && { signal }),
  });
  if (!response.ok) throw new ConsoleApiError("streamChanges", response, error);
  const reader = (data as unknown as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) yield* eventIn(block);
    }
  } finally {
    // The caller stopped listening.
    await reader.cancel().catch(() => {});
  }
}

/** The event of a block; none for a comment. */
function* eventIn(block: string): Generator<SentEvent> {
  const fields = new Map(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]));
  const [type, data] = [fields.get("event"), fields.get("data")];
  if (type !== undefined && data !== undefined) yield { type, data: JSON.parse(data) };
}

function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const timer = setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", done);
      resolve();
    }
  });
}
