import { deadline } from "../common/signals.ts";
import { ModelFailure } from "./model-failure.ts";

/** Maximum time for an attempt, with the whole answer. */
const TIMEOUT_MS = 120_000;
/** Maximum size of the body of an answer. */
const MAX_BYTES = 2 ** 20;

type Answer = { status: number; text: string; retryAfterMs: number | undefined };

/** Sends JSON, and reads the answer. Follows no redirect. @throws ModelFailure; the reason of the signal if it aborts */
export async function send(url: string, key: string | undefined, body: object, signal: AbortSignal): Promise<Answer> {
  const time = deadline(TIMEOUT_MS, signal);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "User-Agent": "Gatehouse",
        ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify(body),
      redirect: "manual",
      signal: time.signal,
    });
    return { status: response.status, text: await readText(response), retryAfterMs: readRetryAfter(response.headers.get("Retry-After")) };
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    signal.throwIfAborted();
    if (time.isLate()) throw new ModelFailure("transient", "The endpoint did not answer in time.");
    throw new ModelFailure("transient", `The endpoint cannot be reached: ${causeOf(error)}.`);
  } finally {
    time.release();
  }
}

async function readText({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new ModelFailure("request", "The answer of the endpoint is larger than 1 MiB.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Only seconds: servers send dates for maintenance, which takes longer than a retry waits. */
function readRetryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

/** The reason that the network gave, which `fetch` puts into the cause. */
function causeOf(error: unknown): string {
  const { cause, message } = error as Error & { cause?: Error & { code?: string } };
  return cause?.code ?? cause?.message ?? message;
}
