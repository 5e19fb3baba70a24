// A network between a server and its database that can be cut, refused and parted.
import { once } from "node:events";
import { connect, createServer } from "node:net";

/**
 * Passes connections on to the host and port of a URL.
 * @param {string} address
 */
export async function startProxy(address) {
  const { hostname, port } = new URL(address);
  /** @type {Set<{ isDead: boolean, endsOnUse: boolean, sockets: import("node:net").Socket[] }>} */
  const pairs = new Set();
  let isParted = false;
  const server = createServer({ allowHalfOpen: true }, (near) => {
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const pair = { isDead: isParted, endsOnUse: false, sockets: [near, far] };
    pairs.add(pair);
    near.prependListener("data", () => {
      if (pair.endsOnUse) for (const socket of pair.sockets) socket.destroy();
    });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      from.on("data", (chunk) => void (pair.isDead || to.write(chunk)));
      from.on("end", () => void (pair.isDead || to.end()));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        if (!pair.isDead) to.destroy();
        if (near.destroyed && far.destroyed) pairs.delete(pair);
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port: ownPort } = /** @type {import("node:net").AddressInfo} */ (server.address());

  /** Ends every connection; others can be made. */
  const cut = () => {
    for (const { sockets } of pairs) for (const socket of sockets) socket.destroy();
  };
  return {
    /**
     * The address, with the proxy's host and port instead.
     * @param {string} through
     */
    url(through) {
      const changed = new URL(through);
      changed.host = `127.0.0.1:${ownPort}`;
      return changed.href;
    },
    /**
     * From now on no byte comes through the connections that stand, in either direction, and none of them ends: as in a network that was
     * parted. New ones work if `newOnes` do.
     */
    swallow({ newOnes } = { newOnes: true }) {
      isParted = !newOnes;
      for (const pair of pairs) pair.isDead = true;
    },
    cut,
    /** Ends each connection that stands when something is next sent to the database. Idle ones look alive until then. */
    endOnUse() {
      for (const pair of pairs) pair.endsOnUse = true;
    },
    /** Ends every connection and refuses others. */
    async refuse() {
      server.close();
      cut();
      await once(server, "close");
    },
    /** New connections work again. Dead ones stay dead. */
    async restore() {
      isParted = false;
      if (server.listening) return;
      server.listen(ownPort, "127.0.0.1");
      await once(server, "listening");
    },
    close() {
      server.close();
      cut();
    },
  };
}
