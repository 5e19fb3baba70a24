import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createStreamWriter } from "./stream-writer.ts";

test("a writer is closed from the start if the reader has already left", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const reader = connect((server.address() as AddressInfo).port, "127.0.0.1");
  reader.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  const early = createStreamWriter(response);
  expect(early.closed.aborted).toBe(false);
  reader.destroy();
  await once(response, "close");
  expect([early.closed.aborted, createStreamWriter(response).closed.aborted]).toEqual([true, true]);
  server.close();
});
