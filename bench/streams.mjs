// Clients of streams of flag changes.
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Streams that connect at the same time. */
const CONNECTING = 200;

export async function openStreams(port, requestUri, count) {
  const sockets = new Set();
  let onMessage = () => {};
  const one = () =>
    new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("error", reject).once("close", () => sockets.delete(socket));
      socket.once("data", () => {
        sockets.add(socket);
        socket.on("data", (chunk) => chunk.includes("refetchEvaluation") && onMessage(socket));
        resolve();
      });
      socket.write(`GET ${requestUri} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n`);
    });
  for (let opened = 0; opened < count; opened += CONNECTING)
    await Promise.all(Array.from({ length: Math.min(CONNECTING, count - opened) }, one));
  return {
    count: () => sockets.size,
    /** Resolves when every stream has received a message. */
    untilNotified() {
      const missing = new Set(sockets);
      let firstAt;
      const all = new Promise((resolve) => {
        onMessage = (socket) => {
          firstAt ??= performance.now();
          missing.delete(socket);
          if (missing.size === 0) resolve(performance.now());
        };
      });
      return async (since) => {
        const lastAt = await Promise.race([
          all,
          sleep(30_000).then(() => Promise.reject(new Error(`${missing.size} streams received nothing.`))),
        ]);
        return { firstMs: firstAt - since, lastMs: lastAt - since };
      };
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
