import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type DatabaseProxy = {
  /** The address, with the proxy's host and port in place of its own. */
  url(address: string): string;
  /** From now on no byte comes through the connections that stand, in either direction, and none of them ends. New ones work if `newOnes` do. */
  swallow(options?: { newOnes: boolean }): void;
  /** Ends every connection. */
  close(): void;
};

/** Passes connections on to the host and port of a URL, until it is told to swallow what they say: as a network does that was parted. */
export async function startProxy(address: string): Promise<DatabaseProxy> {
  const { hostname, port } = new URL(address);
  const pairs = new Set<{ isDead: boolean; sockets: Socket[] }>();
  let isParted = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const pair = { isDead: isParted, sockets: [near, far] };
    pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("data", (chunk) => void (pair.isDead || to.write(chunk)));
      from.on("end", () => void (pair.isDead || to.end()));
      from.on("error", () => to.destroy());
      from.on("close", () => void (pair.isDead || to.destroy()));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url(through) {
      const changed = new URL(through);
      changed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return changed.href;
    },
    swallow({ newOnes } = { newOnes: true }) {
      isParted = !newOnes;
      for (const pair of pairs) pair.isDead = true;
    },
    close() {
      server.close();
      for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
    },
  };
}
