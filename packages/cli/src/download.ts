import { once } from "node:events";
import { createWriteStream, renameSync, rmSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { ConsoleApiError, type ConsoleClient, changes } from "@gatehouse/client";
import { fileError } from "./cli-error.ts";

type Download = { operationId: string; method: string; path: string };
type Request = { query?: object; body?: unknown };
type Answer = { data?: ReadableStream; error?: unknown; response: Response };

/** Sends a request for a file. @throws ConsoleApiError */
export async function openDownload(
  { raw }: ConsoleClient,
  { operationId, method, path }: Download,
  { query, body }: Request,
): Promise<Readable> {
  const send = raw.request as unknown as (method: string, path: string, init: object) => Promise<Answer>;
  const { data, error, response } = await send(method, path, { params: { query }, body, parseAs: "stream" });
  if (!response.ok || !data) throw new ConsoleApiError(operationId, response, error);
  return Readable.fromWeb(data);
}

/** Changes of the project as lines of JSON, which end only when the server refuses the key. */
export async function openChanges(client: ConsoleClient, { after }: { after?: string }): Promise<Readable> {
  // The stream waits for a server that cannot be reached, so a wrong address is found here.
  await client.getProject();
  async function* lines() {
    for await (const change of changes(client, after === undefined ? {} : { after: Number(after) })) yield `${JSON.stringify(change)}\n`;
  }
  return Readable.from(lines());
}

export async function printStream(source: Readable): Promise<void> {
  await pipeline(source, process.stdout, { end: false });
}

/** Writes a file, which appears under its name when it is complete. @returns its size in bytes @throws CliError */
export async function saveStream(source: Readable, file: string): Promise<number> {
  const part = `${file}.part`;
  const target = createWriteStream(part);
  try {
    await once(target, "open");
  } catch (error) {
    source.destroy();
    throw fileError(part, error);
  }
  try {
    await pipeline(source, target);
    renameSync(part, file);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
  return target.bytesWritten;
}
