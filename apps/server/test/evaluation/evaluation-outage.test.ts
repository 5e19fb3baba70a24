import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { evaluate } from "../support/ofrep.ts";
import { startServer, type TestServer } from "../support/server.ts";

const MINUTE_MS = 60_000;

describe("while the database is unreachable", () => {
  let server: TestServer;
  let key: string;
  beforeEach(async () => {
    server = await startServer();
    ({ key } = await makeKey(server, { type: "SERVER" }));
    await server.client.createGate({
      body: { name: "new_gate", rules: [{ name: "all", passPercentage: 100, conditions: [{ type: "public" }] }] },
    });
  });
  afterEach(() => server.close());

  const read = async () => (await evaluate(server, "new_gate", { targetingKey: "alice" }, { key })).body;

  test("flags are evaluated by the last ruleset for one hour after the key's last successful lookup", async () => {
    const before = await read();
    expect(before.value).toBe(true);
    await server.database.cutOff();
    server.clock.now += MINUTE_MS;
    expect(await read()).toEqual(before);
    server.clock.now += 58 * MINUTE_MS;
    expect(await read()).toEqual(before);
    server.clock.now += 2 * MINUTE_MS;
    expect(await read()).toEqual({
      key: "new_gate",
      errorCode: "GENERAL",
      errorDetails: "The database cannot be reached. Try again shortly.",
    });
  });

  test("a key is rejected when it expires", async () => {
    const { key: short } = await makeKey(server, { type: "SERVER", expiresTime: server.clock.now + MINUTE_MS });
    const status = async () => (await evaluate(server, "new_gate", { targetingKey: "alice" }, { key: short })).status;
    expect(await status()).toBe(200);
    await server.database.cutOff();
    server.clock.now += MINUTE_MS - 1;
    expect(await status()).toBe(200);
    server.clock.now += 1;
    expect(await status()).toBe(401);
  });

  test("a key that was never looked up is rejected, and so is one that was found to be inactive", async () => {
    await read();
    const { id, key: deactivated } = await makeKey(server, { type: "SERVER" });
    await server.client.deactivateKey({ path: { id } });
    const status = async (secret: string) => (await evaluate(server, "new_gate", { targetingKey: "alice" }, { key: secret })).status;
    expect(await status(deactivated)).toBe(401);
    server.clock.now += 500;
    await server.database.cutOff();
    expect([await status(deactivated), await status("secret-0123456789abcdef")]).toEqual([503, 503]);
  });
});
