import type { RequestHandler, Response } from "express";
import type { Context } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import type { AnalysisEnv, Read } from "../../console/stores.ts";
import { analysingOnStandby } from "../../store/database/read-replica.ts";
import { type ConsoleOperation, createContext } from "./execute.ts";
import { createReader, noteExport, type StreamServices } from "./serve-lines.ts";
import { endBody, writePart } from "./write-part.ts";

/** A file that is made while it is sent, a bounded part at a time. The first part is made before the response begins. */
type StreamedFile = {
  name: string;
  mediaType: string;
  parts: AsyncIterable<Uint8Array>;
  /** Notes each download in the audit log. By default, those of 15 minutes are noted together. */
  note?(): Promise<void>;
};
type FileRequest = { query: never; body: never; context: Context; read: Read } & Pick<AnalysisEnv, "analyse" | "limited">;
export type FileStream = (request: FileRequest) => Promise<StreamedFile>;

/** The most files at once: each reads from the database and makes parts all the time. */
const MAX_AT_ONCE = 4;
/** A download ends after this time, however much is left. */
const LONGEST_MS = 60 * 60 * 1_000;
/** The most time of one statement of a file. */
const STATEMENT_MS = 10 * 60 * 1_000;

/**
 * Serves a file, which is noted in the audit log as an export. If it fails, the connection is reset. An HTTP/1.0 caller or proxy would take a
 * connection that is closed in order for the end of the file.
 */
export function serveFile(operation: ConsoleOperation, stream: FileStream, services: StreamServices): RequestHandler {
  const { now, repeatedEvents } = services;
  let running = 0;
  return async (request, response) => {
    const context = createContext(response, operation, now());
    if (running >= MAX_AT_ONCE) throw tooMany();
    running += 1;
    try {
      const file = await stream({
        query: request.query as never,
        body: request.body as never,
        context,
        read: createReader(context, services),
        ...createStatements(response, services),
      });
      await (file.note?.() ?? noteExport(context, request.query, repeatedEvents));
      await send(file, response);
    } catch (error) {
      if (response.headersSent) response.socket?.resetAndDestroy();
      throw error;
    } finally {
      running -= 1;
    }
  };
}

/** Statements that end when the caller has left. */
function createStatements(response: Response, { database }: StreamServices): Pick<AnalysisEnv, "analyse" | "limited"> {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  if (response.destroyed) gone.abort();
  const options = { timeoutMs: STATEMENT_MS, signal: gone.signal };
  const analyse = analysingOnStandby(database);
  return {
    analyse: ({ text, parameters }) =>
      analyse(
        text,
        parameters.map(({ value }) => value),
        options,
      ),
    limited: (work) => work(options),
  };
}

async function send({ name, mediaType, parts }: StreamedFile, response: Response): Promise<void> {
  const deadline = performance.now() + LONGEST_MS;
  const headers = { "Content-Type": mediaType, "Content-Disposition": `attachment; filename="${name}"`, "Cache-Control": "no-store" };
  for await (const part of parts) {
    if (!response.headersSent) response.writeHead(200, headers);
    // Leaving the loop ends the generator, and its work with it.
    if (response.destroyed) return;
    if (performance.now() > deadline) throw new Error(`The download of ${name} took longer than an hour.`);
    if (part.length > 0) await writePart(response, part);
  }
  await endBody(response);
}

const tooMany = () =>
  new AppError("unavailable", `${MAX_AT_ONCE} files are being downloaded already. Try again when one has ended.`, undefined, {
    retryAfterS: 30,
  });
