import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { post } from "./post.ts";

test("a host name is refused for the private address that it resolves to, and nothing is sent", async () => {
  let count = 0;
  const receiver = createServer((_, response) => {
    count++;
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, resolve));
  const url = `http://localhost:${(receiver.address() as AddressInfo).port}/`;
  const message = { body: "{}", headers: {} };
  await expect(post(url, { ...message, allowsPrivate: false })).rejects.toThrow(
    "Its host has a private address, and GATEHOUSE_WEBHOOK_HOSTS does not name it.",
  );
  expect(count).toBe(0);
  expect(await post(url, { ...message, allowsPrivate: true })).toEqual({ status: 200, body: "" });
  receiver.close();
});
