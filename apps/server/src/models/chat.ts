import type { ChatRequest } from "../common/chat.ts";
import { shortened, storableText } from "../common/storable-text.ts";
import { ModelFailure } from "./model-failure.ts";
import { send } from "./send.ts";

/** Longer outputs are failures, in characters. */
const MAX_OUTPUT = 100_000;
/** Longer explanations of an endpoint are cut, in characters. */
const MAX_EXPLANATION = 300;
const MIN_KEY_LENGTH = 4;

type Endpoint = { url: string; key: string | undefined };
type Completion = { choices?: { message?: { content?: unknown } }[] };
type Explained = { error?: { message?: unknown; param?: unknown } | string; message?: unknown; detail?: unknown };

/** Asks a model once, with the protocol of OpenAI's chat completions. @throws ModelFailure; the reason of the signal if it aborts */
export async function complete(endpoint: Endpoint, request: ChatRequest, signal: AbortSignal): Promise<string> {
  const { url, key } = endpoint;
  const path = `${url}/chat/completions`;
  let answer = await send(path, key, request, signal);
  // Newer models of OpenAI know the parameter by this name alone.
  if (answer.status === 400 && request.max_tokens !== undefined && namesMaxTokens(answer.text)) {
    const { max_tokens, ...rest } = request;
    answer = await send(path, key, { ...rest, max_completion_tokens: max_tokens }, signal);
  }
  const { status, text, retryAfterMs } = answer;
  if (status >= 200 && status < 300) return readOutput(text, key);
  const explanation = explain(text, key);
  const message = `The endpoint answered ${status}${explanation === "" ? "." : `: ${explanation}`}`;
  throw new ModelFailure(kindOf(status), message, retryAfterMs);
}

function kindOf(status: number): ModelFailure["kind"] {
  if (status === 408 || status === 429 || status >= 500) return "transient";
  return status === 401 || status === 403 || (status >= 300 && status < 400) ? "endpoint" : "request";
}

function readOutput(text: string, key: string | undefined): string {
  const output = toText((parse(text) as Completion | undefined)?.choices?.[0]?.message?.content);
  if (output === undefined) throw new ModelFailure("request", "The endpoint answered without a message.");
  if (output.length > MAX_OUTPUT) throw new ModelFailure("request", "The output is longer than 100,000 characters.");
  return storableText(withoutKey(output, key));
}

/** The content of a message, which is a text or a list of parts. Parts without a text are ignored. */
function toText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.flatMap((part: { text?: unknown } | null) => (typeof part?.text === "string" ? [part.text] : []));
  return texts.length > 0 ? texts.join("") : undefined;
}

function namesMaxTokens(text: string): boolean {
  const { error } = (parse(text) ?? {}) as Explained;
  return typeof error === "object" && error?.param === "max_tokens";
}

/** The explanation of an error, as one line. Empty for bodies of another form, which can be those of another service. */
function explain(text: string, key: string | undefined): string {
  const parsed = parse(text);
  const { error, message, detail } = (typeof parsed === "object" && parsed !== null ? parsed : {}) as Explained;
  const found = [typeof error === "object" ? error?.message : error, message, detail].find((one) => typeof one === "string" && one !== "");
  const line = storableText(withoutKey((found as string | undefined) ?? "", key))
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return shortened(line, MAX_EXPLANATION);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Some endpoints repeat a wrong API key. Shorter texts than a key can be part of any answer. */
function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < MIN_KEY_LENGTH ? text : text.replaceAll(key, "[API key]");
}
