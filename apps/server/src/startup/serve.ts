import { createServer, type RequestListener, type ServerOptions, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type Server = {
  /** `http://127.0.0.1:4000` */
  url: string;
  /**
   * Serves for another `delayMs`, on new connections too, and closes each connection after its next response. Load balancers can notice in this
   * time that the server isn't ready, and clients move to other replicas without losing a request.
   */
  retire(delayMs: number): Promise<void>;
  /** Stops accepting connections. Resolves when the requests in flight have finished; after `timeoutMs` it closes their connections. */
  drain(timeoutMs: number): Promise<void>;
};

/**
 * Idle connections stay open longer than the 60 s of common load balancers. So these close them first and never send a request on a
 * connection that the server is closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/**
 * The newest request of a connection, until it ends. It is not in a set of all requests: a set moves to a new table when it shrinks, and
 * old tables point to newer ones. So each collection of young garbage would take ended requests for live ones.
 */
type InFlight = { response: ServerResponse | undefined };

/** Serves the application. Port 0 means any free port. @throws if the address cannot be bound */
export async function serve(
  app: RequestListener & { messages?: Pick<ServerOptions, "IncomingMessage" | "ServerResponse"> },
  { host, port }: { host: string; port: number },
): Promise<Server> {
  let isRetiring = false;
  const server = createServer({ ...app.messages, keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS });
  const connections = new Map<Socket, InFlight>();
  server.on("connection", (socket) => {
    connections.set(socket, { response: undefined });
    socket.once("close", () => connections.delete(socket));
  });
  server.on("request", (request, response) => {
    if (isRetiring) endConnection(response);
    const inFlight = connections.get(request.socket);
    if (inFlight) inFlight.response = response;
    response.once("close", () => {
      if (inFlight?.response === response) inFlight.response = undefined;
    });
    app(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const closeAfterResponses = () => {
    isRetiring = true;
    for (const { response } of connections.values()) if (response) endConnection(response);
  };
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`,
    async retire(delayMs) {
      closeAfterResponses();
      if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    },
    async drain(timeoutMs) {
      closeAfterResponses();
      const cutOff = setTimeout(() => server.closeAllConnections(), timeoutMs);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(cutOff);
    },
  };
}

/** Otherwise a client could send its next request on a keep-alive connection, and the server would wait for it. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
