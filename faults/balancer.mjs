// A balancer in front of the replicas, as a Kubernetes Service is: it knows connections and not requests, and retries nothing.
import { once } from "node:events";
import { request } from "node:http";
import { connect, createServer } from "node:net";

/** Between two checks of a replica, ms. */
const CHECK_INTERVAL_MS = 100;

/** Starts the balancer. Each new connection goes to the next replica whose last check of `/readyz` found it ready. */
export async function startBalancer(replicas) {
  const ready = new Set();
  const sockets = new Set();
  let next = 0;
  let isClosed = false;
  let timer;
  const server = createServer((near) => {
    const choices = replicas.filter((replica) => ready.has(replica));
    const replica = choices[next++ % choices.length];
    if (!replica) return void near.destroy();
    const far = connect(Number(new URL(replica.url).port), "127.0.0.1");
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ]) {
      sockets.add(socket);
      socket.on("error", () => other.destroy()).on("close", () => sockets.delete(socket));
      socket.pipe(other);
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const check = async () => {
    await Promise.all(replicas.map(async (replica) => ((await isReady(replica)) ? ready.add(replica) : ready.delete(replica))));
    // A check that outlasts the balancer must not begin another, which would keep the process alive.
    if (!isClosed) timer = setTimeout(check, CHECK_INTERVAL_MS);
  };
  await check();
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    isReady: (replica) => ready.has(replica),
    close() {
      isClosed = true;
      clearTimeout(timer);
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function isReady({ url }) {
  return new Promise((resolve) => {
    const sent = request(`${url}/readyz`, { agent: false, timeout: 2_000 }, (response) => {
      response.resume().once("close", () => resolve(response.statusCode === 200));
    });
    sent.once("timeout", () => sent.destroy()).once("error", () => resolve(false));
    sent.end();
  });
}
