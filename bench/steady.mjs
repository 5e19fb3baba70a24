// Sends requests at a constant rate, without waiting for earlier responses, as many callers would. Latency counts from the due
// time of a request, so delays of a slow server are not hidden (no coordinated omission).
import { connect } from "node:net";

/** More connections than the load at the highest rate uses, so that requests wait only for the server. */
const CONNECTIONS = 64;
const TICK_MS = 1;

/**
 * @param next the next request: `{ method, path, body?, headers? }`
 * @param headers those of every request
 * @returns { rate: answers a second, count: answers, p50, p99, max: ms from when a request was due, failed, busy: the share of the time that the
 *   sender itself was busy: near 1, latencies are its own }
 */
export async function steadyLoad({ url, headers, next, seconds, rate }) {
  const { hostname, port, host } = new URL(url);
  const common = headerLines({ Host: host, ...headers });
  const idle = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(hostname, Number(port))));
  const waiting = [];
  const latencies = [];
  let failed = 0;
  const total = Math.round(rate * seconds);
  const idleBefore = performance.eventLoopUtilization();
  const begin = performance.now();
  let sent = 0;

  await new Promise((resolve) => {
    const answered = (connection, due, isSuccess) => {
      latencies.push(performance.now() - due);
      if (!isSuccess) failed += 1;
      idle.push(connection);
      dispatch();
      if (latencies.length === total) resolve();
    };
    const dispatch = () => {
      while (idle.length > 0 && waiting.length > 0) {
        const connection = idle.pop();
        const due = waiting.shift();
        connection.ask(toText(next(), common), (isSuccess) => answered(connection, due, isSuccess));
      }
    };
    const arrive = () => {
      for (const now = performance.now(); sent < total && begin + (sent * 1000) / rate <= now; sent++)
        waiting.push(begin + (sent * 1000) / rate);
      dispatch();
      if (sent < total) setTimeout(arrive, TICK_MS);
    };
    arrive();
  });

  const busy = performance.eventLoopUtilization(idleBefore).utilization;
  const elapsed = (performance.now() - begin) / 1000;
  for (const connection of idle) connection.close();
  latencies.sort((left, right) => left - right);
  const at = (share) => Number(latencies[Math.min(total - 1, Math.floor(total * share))].toFixed(1));
  return { rate: total / elapsed, count: total, p50: at(0.5), p99: at(0.99), max: at(1), failed, busy };
}

function toText({ method, path, body = "", headers }, common) {
  const own = headers === undefined ? "" : headerLines(headers);
  return `${method} ${path} HTTP/1.1\r\n${common}${own}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function headerLines(headers) {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
}

/** A connection that carries one request at a time. */
async function open(host, port) {
  const socket = connect({ host, port, noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let tell;
  let head = "";
  let missing = 0;
  let isSuccess = false;
  const finish = () => {
    head = "";
    tell?.(isSuccess);
  };
  socket.on("error", () => tell?.(false));
  socket.on("data", (chunk) => {
    if (missing > 0) {
      missing -= chunk.length;
    } else {
      head += chunk.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      isSuccess = /^HTTP\/1\.1 2/.test(head);
      missing = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0) - (head.length - end - 4);
    }
    if (missing <= 0) finish();
  });
  return {
    ask(text, answered) {
      tell = answered;
      socket.write(text);
    },
    close: () => socket.destroy(),
  };
}
