import { type Request as IncomingRequest, type Response as OutgoingResponse, type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import type { Authenticate } from "../../../common/context.ts";
import { invalid } from "../../../common/errors.ts";
import type { Instruments } from "../../../common/instruments.ts";
import { once } from "../../../common/once.ts";
import { readBody } from "../../common/body.ts";
import type { Callers } from "../../common/callers.ts";
import { endCompressed } from "../../common/compress.ts";
import type { LargeBodies, Turn } from "../../common/large-bodies.ts";
import { requireMethod } from "../../common/routes.ts";
import { getCredentials } from "../authenticate.ts";
import { mayToolsWrite } from "../require-tool-scope.ts";
import type { Api } from "../router.ts";
import { createCalls } from "./call-operation.ts";
import { createCatalog } from "./catalog.ts";
import { createDocsPages } from "./docs-pages.ts";
import { identifyKey } from "./identify-key.ts";

export type McpOptions = {
  /** The console API, and its routes. */
  api: Pick<Api, "document" | "descriptions">;
  router: Router;
  authenticate: Authenticate;
  callers: Callers;
  /** Origins of pages that can send messages. */
  corsOrigins: readonly string[];
  /** Notes the use of a key. */
  noteUse: RequestHandler;
  largeBodies: LargeBodies;
  instruments: Instruments;
  log: Logger;
  /** The folder of the built documentation. */
  docs: string;
  /** The version of this server. */
  version: string;
};

/** The limits of a message. A larger change can be made with the console API. */
const MAX_BYTES = 2 ** 20;
const LIMITS = { maxBytes: MAX_BYTES, maxValues: 100_000 };

/** Serves the Model Context Protocol over Streamable HTTP, with one JSON response to each message and without sessions. */
export function createMcpRouter({
  api,
  router: routes,
  authenticate,
  callers,
  corsOrigins,
  noteUse,
  docs: folder,
  ...services
}: McpOptions): Router {
  const { log, instruments, largeBodies, version } = services;
  const catalog = once(async () => createCatalog(api.document, api.descriptions));
  const docs = createDocsPages(folder);
  const callsOf = createCalls({ router: routes, log, instruments });
  // The SDK is loaded at the first message, so that it costs nothing without one.
  const serving = once(async () => {
    const { createMcpServing } = await import("./mcp-server.ts");
    return createMcpServing(await catalog(), { version, log });
  });

  const answer: RequestHandler = async (request, response) => {
    response.locals.operationID = "mcp";
    const { permissions, projectID } = getCredentials(response);
    const message = await readMessage(request, largeBodies.turn(projectID));
    const env = { catalog: await catalog(), docs, call: callsOf(request, response), permissions, mayWrite: mayToolsWrite(response) };
    await send(response, await (await serving()).answer(toWebRequest(request, callers), message, env));
  };

  const router = Router({ caseSensitive: true });
  const route = router.route("/mcp");
  route.all(requireMethod(["POST"]), identifyKey({ authenticate, callers, corsOrigins }), noteUse);
  route.post(answer);
  return router;
}

/** The turn ends with the reading, since the call of a large message needs a turn of its own. @throws AppError */
async function readMessage(request: IncomingRequest, turn: Turn): Promise<object> {
  try {
    const message = await readBody(request, LIMITS, turn);
    // The protocol no longer has batches.
    if (typeof message === "object" && message !== null && !Array.isArray(message)) return message;
    throw invalid([{ property: "body", errorMessage: "must be one JSON-RPC message" }]);
  } finally {
    turn.end();
  }
}

/** The headers that the protocol reads. */
const HEADERS = /^(accept|content-type|mcp-.+)$/;

function toWebRequest(request: IncomingRequest, { resolveOrigin }: Callers): Request {
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    HEADERS.test(name) ? [[name, String(value)]] : [],
  );
  return new Request(`${resolveOrigin(request)}/mcp`, { method: "POST", headers });
}

async function send(response: OutgoingResponse, answer: Response): Promise<void> {
  const text = await answer.text();
  response.status(answer.status);
  const type = answer.headers.get("Content-Type");
  if (type !== null) response.setHeader("Content-Type", type);
  if (text === "") response.end();
  else endCompressed(response, text);
}
