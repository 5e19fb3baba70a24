import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestRelay, type TestRelay } from "../support/relay.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { makeFlags, makeKeys, untilEvaluated } from "./support/flags.ts";
import { jsClient } from "./support/js-client.ts";
import { openFeatureServer } from "./support/openfeature-server.ts";
import { statsigNode } from "./support/statsig-node.ts";
import { statsigNodeCore } from "./support/statsig-node-core.ts";

let server: TestServer;
let relay: TestRelay;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
  relay = await startTestRelay(server, { now: Date.now });
});
afterAll(async () => {
  await relay.close();
  await server.close();
});

describe.each([statsigNode, statsigNodeCore, jsClient, openFeatureServer])("an application with $name", (sdk) => {
  test("reads its flags through a relay", async () => {
    const keys = await makeKeys(server.client);
    const flags = await makeFlags(server.client, sdk.name.replaceAll(/\W+/g, " ").trim().slice(0, 30));
    await untilEvaluated(flags, { url: relay.url, ...keys });
    const user = { userID: "pro", custom: { plan: "pro" } };
    const application = await sdk.start({ url: relay.url, ...keys, user });
    expect([
      await application.gate(flags.gate, user),
      await application.config(flags.config, user),
      await application.layer(flags.layer, user, "title"),
    ]).toEqual([
      { value: true, ruleID: "gate_rule" },
      { value: { steps: 1 }, ruleID: "config_rule" },
      { value: "Pay", ruleID: "test" },
    ]);
    await application.flush();
    await application.stop();
  });
});
