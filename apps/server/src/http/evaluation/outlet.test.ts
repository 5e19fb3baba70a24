import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createOutlet } from "./outlet.ts";

test("an outlet to a reader that left before is closed from the start", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const reader = connect((server.address() as AddressInfo).port, "127.0.0.1");
  reader.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
  const early = createOutlet(response);
  expect(early.closed.aborted).toBe(false);
  reader.destroy();
  await once(response, "close");
  expect([early.closed.aborted, createOutlet(response).closed.aborted]).toEqual([true, true]);
  server.close();
});
