// Restarts each replica in turn behind a balancer, under requests of clients that keep their connections and retry nothing.
import { Agent, request } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { startBalancer } from "./balancer.mjs";
import { KEY } from "./cluster.mjs";
import { READS } from "./load.mjs";

const READERS = 6;
const WRITERS = 2;
const SENDERS = 2;
const STREAMS = 6;
/** Between two requests of a client, ms. */
const REQUEST_PAUSE_MS = 20;
/** Between two connections of a stream, ms. */
const RECONNECT_PAUSE_MS = 50;
/** A request, and the arrival of a change at every stream, may take this long, ms. */
const TIMEOUT_MS = 20_000;

/** Restarts the replicas. @returns the numbers of requests by kind, of reconnected streams, and the failures */
export async function restartInTurn({ replicas }) {
  const balancer = await startBalancer(replicas);
  const counts = { reads: 0, writes: 0, "batches of events": 0, "streams opened": 0 };
  const failures = [];
  let isOver = false;

  const clients = [
    ...Array.from({ length: READERS }, (_, reader) =>
      client("reads", (turn) => {
        const [, method, path, body] = READS[(reader + turn) % READS.length];
        return [method, path, body];
      }),
    ),
    ...Array.from({ length: WRITERS }, (_, writer) =>
      client("writes", (turn) =>
        turn === 0
          ? ["POST", "/console/v1/gates", { name: `rolling_${writer}` }]
          : ["PATCH", `/console/v1/gates/rolling_${writer}`, { description: `Change ${turn}.` }],
      ),
    ),
    ...Array.from({ length: SENDERS }, () =>
      client("batches of events", (turn) => [
        "POST",
        "/v1/log_event",
        { events: [{ eventName: "rolling", value: String(turn), time: 1 }] },
      ]),
    ),
  ];
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => openStream()));
  for (const replica of replicas) {
    await replica.end();
    await replica.start();
    await until(() => balancer.isReady(replica), `Replica ${replica.number} was not ready after its restart`);
  }
  const seen = streams.map(({ events }) => events);
  await ask(new Agent(), "PATCH", "/console/v1/gates/counter_0", { description: "After the restarts." });
  await until(() => streams.every(({ events }, index) => events > seen[index]), "A stream did not receive a change after the restarts");
  isOver = true;
  for (const stream of streams) stream.close();
  await Promise.all(clients);
  balancer.close();
  for (const [kind, count] of Object.entries(counts)) if (count === 0) failures.push(`There were no ${kind}`);
  return { counts, failures };

  /** Sends one request after another on one connection, until the end. */
  async function client(kind, toRequest) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let turn = 0; !isOver; turn++) {
      const [method, path, body] = toRequest(turn);
      const outcome = await ask(agent, method, path, body).then(
        ({ status, text }) => (status < 300 ? undefined : `${status} ${text}`),
        ({ message }) => message,
      );
      counts[kind] += 1;
      if (outcome !== undefined) failures.push(`${method} ${path}: ${outcome}`);
      await pause(REQUEST_PAUSE_MS);
    }
    agent.destroy();
  }

  /** A stream of changes that connects again whenever it ends. */
  async function openStream() {
    const { text } = await ask(new Agent(), "POST", "/ofrep/v1/evaluate/flags", { context: { targetingKey: "alice" } });
    const path = JSON.parse(text).eventStreams[0].endpoint.requestUri;
    const stream = { events: 0, close: () => {} };
    connectStream();
    await until(() => stream.events > 0, "A stream was not opened");
    return stream;

    function connectStream() {
      if (isOver) return;
      counts["streams opened"] += 1;
      const again = () => setTimeout(connectStream, RECONNECT_PAUSE_MS);
      const sent = request(new URL(path, balancer.url), { agent: false }, (response) => {
        if (response.statusCode !== 200) failures.push(`A stream was answered ${response.statusCode}`);
        response.setEncoding("utf8").on("error", () => {});
        // Heartbeats are comments.
        response.on("data", (text) => (stream.events += text.includes("data:") ? 1 : 0));
        response.once("close", again);
      });
      sent.once("error", ({ message }) => {
        // An open stream ends with its replica.
        if (sent.res || isOver) return;
        failures.push(`A stream was not opened: ${message}`);
        again();
      });
      sent.end();
      stream.close = () => sent.destroy();
    }
  }

  function ask(agent, method, path, body) {
    return new Promise((resolve, reject) => {
      const headers = { "SERVICE-API-KEY": KEY, "Content-Type": "application/json" };
      const sent = request(`${balancer.url}${path}`, { method, headers, agent, timeout: TIMEOUT_MS }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.once("end", () => resolve({ status: response.statusCode, text })).once("error", reject);
      });
      sent.once("timeout", () => sent.destroy(new Error("no answer"))).once("error", reject);
      sent.end(body && JSON.stringify(body));
    });
  }

  async function until(isDone, message) {
    for (const end = Date.now() + TIMEOUT_MS; !isDone(); await pause(20)) {
      if (Date.now() > end) return void failures.push(`${message} within ${TIMEOUT_MS} ms`);
    }
  }
}
