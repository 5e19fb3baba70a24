import type { AddressInfo } from "node:net";
import { connect, createServer, type Socket } from "node:net";
import { type RelayOptions, startRelay } from "../../src/relay/relay.ts";
import { serve } from "../../src/startup/serve.ts";
import { makeKey } from "./keys.ts";
import { sendTo, type TestServer } from "./server.ts";

/** A relay in front of a test server. Its parts that tests of servers use are named as theirs. */
export type TestRelay = Pick<TestServer, "url" | "send" | "logged"> & { close(): Promise<void> };

/** Starts a relay with the clock of its origin. */
export async function startTestRelay(
  origin: Pick<TestServer, "client" | "url" | "clock" | "log" | "logged">,
  options: Partial<RelayOptions> = {},
): Promise<TestRelay> {
  const key = options.key ?? (await makeKey(origin)).key;
  const relay = await startRelay({
    ...{ origin: origin.url, key, version: "0.0.0", log: origin.log, now: () => origin.clock.now },
    ...{ maxQueuedCharacters: 2 ** 20, streams: { limit: 100, limitPerKey: 100 }, strictResponses: true },
    ...options,
  });
  const server = await serve(relay.serve, { host: "127.0.0.1", port: 0 });
  return {
    url: server.url,
    logged: origin.logged,
    send: (method, path, sendOptions) => sendTo(server.url, method, path, sendOptions),
    async close() {
      relay.stop();
      await server.drain(1_000);
      await relay.close();
    },
  };
}

/** A door between a relay and its origin. While it is closed, connections break and new ones are refused. */
export async function createDoor(url: string): Promise<{ url: string; shut(): void; open(): void; close(): void }> {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let isOpen = true;
  const door = createServer((near) => {
    if (!isOpen) return void near.destroy();
    const far = connect(Number(target.port), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on("error", () => other.destroy())
        .on("close", () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>((resolve) => door.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
    shut() {
      isOpen = false;
      for (const socket of sockets) socket.destroy();
    },
    open() {
      isOpen = true;
    },
    close: () => void door.close(),
  };
}
