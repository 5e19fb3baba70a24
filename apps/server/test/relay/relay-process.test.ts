import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeKey } from "../support/keys.ts";
import { evaluateAll } from "../support/ofrep.ts";
import { start, temporaryFolder } from "../support/process.ts";
import { sendTo, startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

async function startRelay(env: Record<string, string>) {
  const relay = start("bin.js", env, ["relay"]);
  const [, url = ""] = await relay.prints(/^The relay listens at (\S+)\. Its origin is \S+\.$/m);
  return { relay, at: { url, send: (...given: Parameters<TestServer["send"]>) => sendTo(url, ...given) } };
}

test("the command relay serves flags, also with a state that it cannot read, and stops on SIGTERM", async () => {
  await server.client.createGate({ body: { name: "new_checkout" } });
  const { key } = await makeKey(server);
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, "keys-00.json"), "{");
  appendFileSync(join(folder.path, "events.jsonl"), "{\n");
  const env = {
    GATEHOUSE_RELAY_ORIGIN: server.url,
    GATEHOUSE_RELAY_KEY: key,
    GATEHOUSE_RELAY_DATA: folder.path,
  };
  const { relay, at } = await startRelay(env);
  expect(await evaluateAll(at, { targetingKey: "alice" })).toMatchObject({ status: 200, body: { flags: [{ key: "new_checkout" }] } });
  relay.child.kill("SIGTERM");
  const { code, stdout } = await relay.ended;
  expect([code, stdout.includes("A file in GATEHOUSE_RELAY_DATA cannot be read and is ignored.")]).toEqual([0, true]);
  folder.remove();
});

test("a relay whose stop is delayed serves on, but is not ready", async () => {
  const { key } = await makeKey(server);
  const { relay, at } = await startRelay({ GATEHOUSE_RELAY_ORIGIN: server.url, GATEHOUSE_RELAY_KEY: key, GATEHOUSE_STOP_DELAY: "120" });
  relay.child.kill("SIGTERM");
  await relay.prints(/Finishing the requests in flight/);
  const answers = await Promise.all(["/readyz", `/v1/download_config_specs/${key}.json`].map((path) => at.send("GET", path)));
  expect(answers.map(({ status, headers }) => [status, headers.get("Connection")])).toEqual([
    [503, "close"],
    [200, "close"],
  ]);
  relay.child.kill("SIGKILL");
  await relay.ended;
});

test("the command relay without its settings names them and ends", async () => {
  const { code, stderr } = await start("bin.js", {}, ["relay"]).ended;
  expect(code).toBe(1);
  expect(stderr).toContain("GATEHOUSE_RELAY_ORIGIN is required");
  expect(stderr).toContain("GATEHOUSE_RELAY_KEY is required");
});
