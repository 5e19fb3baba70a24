import type { RequestHandler, Response } from "express";
import type { PermittedContext } from "../../common/context.ts";
import { createStores, type Read } from "../../console/stores.ts";
import { createChangeLog } from "../../store/change-log/change-log.ts";
import type { RepeatedEvents } from "../../store/change-log/repeated-events.ts";
import { readingOnStandby } from "../../store/database/read-replica.ts";
import { type ConsoleOperation, type ConsoleServices, createContext } from "./execute.ts";
import { writePart } from "./write-part.ts";

/** The objects of a stream, a bounded part at a time. The first part is read before the response begins. */
export type LineStream = (request: { query: never; read: Read }) => AsyncIterable<object[]>;

export type StreamServices = ConsoleServices & { repeatedEvents: RepeatedEvents };

const JSON_LINES = "application/x-ndjson";

/**
 * Serves a read as JSON lines if the caller prefers them, otherwise as JSON. A stream is noted in the audit log as an export. If it fails, the
 * connection breaks, so that the caller sees that the end is missing.
 */
export function serveLines(
  operation: ConsoleOperation,
  stream: LineStream,
  serveJson: RequestHandler,
  services: StreamServices,
): RequestHandler {
  const { now, repeatedEvents } = services;
  return async (request, response, next) => {
    response.vary("Accept");
    if (request.accepts(["application/json", JSON_LINES]) !== JSON_LINES) return serveJson(request, response, next);
    const context = createContext(response, operation, now());
    const parts = stream({ query: request.query as never, read: createReader(context, services) })[Symbol.asyncIterator]();
    let part = await parts.next();
    await noteExport(context, request.query, repeatedEvents);
    response.status(200).setHeader("Content-Type", `${JSON_LINES}; charset=utf-8`);
    response.flushHeaders();
    for (; !part.done && !response.destroyed; part = await parts.next()) await writeLines(response, part.value);
    response.end();
  };
}

export function createReader(context: PermittedContext, { database }: Pick<StreamServices, "database">): Read {
  return (work) => readingOnStandby(database, (db) => work(createStores({ db, context, log: createChangeLog(db, context) })));
}

export async function noteExport(context: PermittedContext, query: object, repeatedEvents: RepeatedEvents): Promise<void> {
  const { operationID } = context;
  await repeatedEvents.note({ ...context, entityType: "export", entityID: operationID, details: { ...query } });
}

async function writeLines(response: Response, objects: object[]): Promise<void> {
  for (const object of objects) {
    if (response.destroyed) return;
    await writePart(response, `${JSON.stringify(object)}\n`);
  }
}
