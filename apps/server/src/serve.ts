import { createServer, type RequestListener, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Server = {
  /** `http://127.0.0.1:4000` */
  url: string;
  /** Accepts no more connections. Resolves when the requests in flight have finished, or closes them after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
};

/**
 * How long an idle connection stays open, ms: longer than the 60 s of common load balancers, so that they close it first and never send a
 * request into a connection that is being closed.
 */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;

/** Serves the application; port 0 means any free one. @throws when the address cannot be listened on */
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

/** A client with a keep-alive connection could send its next request on it, and the server would wait for that. */
function endConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("Connection", "close");
}
