import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Server = {
  /** `http://127.0.0.1:4000` */
  url: string;
  /** Stops accepting connections. Resolves when the requests in flight have finished; after `timeoutMs` it closes their connections. */
  drain(timeoutMs: number): Promise<void>;
};

/**
 * Idle connections stay open longer than the 60 s of common load balancers, so that these close them first and never send a request on a
 * connection that the server is closing.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Serves the application. Port 0 means any free port. @throws if the address cannot be bound */
export async function serve(app: RequestListener, { host, port }: { host: string; port: number }): Promise<Server> {
  let isDraining = false;
  const inFlight = new Set<ServerResponse>();
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS }, (request, response) => {
    if (isDraining) endConnection(response);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    app(request, response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const { port: actualPort } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${actualPort}`,
    async drain(timeoutMs) {
      isDraining = true;
      for (const response of inFlight) endConnection(response);
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
