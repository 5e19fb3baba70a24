import type { User } from "@gatehouse/evaluation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { waitFor } from "../support/wait-for.ts";
import { type Flags, makeFlags, makeKeys, untilEvaluated } from "./support/flags.ts";
import { jsClient } from "./support/js-client.ts";
import { jsOnDeviceEvalClient } from "./support/js-on-device-eval-client.ts";
import { openFeatureServer } from "./support/openfeature-server.ts";
import { openFeatureWeb } from "./support/openfeature-web.ts";
import { startRestartable } from "./support/restartable-server.ts";
import type { Application } from "./support/sdk.ts";
import { statsigNode } from "./support/statsig-node.ts";
import { statsigNodeCore } from "./support/statsig-node-core.ts";
import { webPage } from "./support/web-page.ts";

// Applications with real SDKs read entities of the console API from the built server.

let server: Awaited<ReturnType<typeof startRestartable>>;
let keys: Awaited<ReturnType<typeof makeKeys>>;
beforeAll(async () => {
  server = await startRestartable();
  keys = await makeKeys(server.client);
});
afterAll(() => server.close());

/** SDKs for browsers only. They encode their requests only in a browser. */
const webPages = [webPage("statsig-js", "statsig-js.ts"), webPage("statsig-react", "statsig-react.ts")];

const sdks = [statsigNode, statsigNodeCore, jsClient, jsOnDeviceEvalClient, openFeatureServer, openFeatureWeb];

describe.each(sdks)("an application with $name", readsFlags);
describe.each(webPages)("an application with $name", needs.chromium, readsFlags);

function readsFlags(sdk: (typeof sdks)[number] | (typeof webPages)[number]) {
  const suffix = sdk.name.replaceAll(/\W+/g, " ").trim().slice(0, 30);
  const pro: User = { userID: `pro of ${suffix}`, custom: { plan: "pro" } };
  const free: User = { userID: `free of ${suffix}`, custom: { plan: "free" } };
  let flags: Flags;
  let application: Application;

  beforeAll(async () => {
    flags = await makeFlags(server.client, suffix);
    await untilEvaluated(flags, { url: server.url, ...keys });
    application = await sdk.start({ url: server.url, ...keys, user: pro });
  });
  afterAll(() => application.stop());

  test("reads a gate, a dynamic config, an experiment and a layer", async () => {
    const read = async (user: User) => [
      await application.gate(flags.gate, user),
      await application.config(flags.config, user),
      await application.experiment(flags.experiment, user),
      await application.layer(flags.layer, user, "title"),
    ];
    expect(await read(pro)).toEqual([
      { value: true, ruleID: "gate_rule" },
      { value: { steps: 1 }, ruleID: "config_rule" },
      { value: { label: "Buy" }, ruleID: "test" },
      { value: "Pay", ruleID: "test" },
    ]);
    expect(await read(free)).toEqual([
      { value: false, ruleID: "default" },
      { value: { steps: 4 }, ruleID: "default" },
      { value: {}, ruleID: "targetingGate" },
      { value: "Checkout", ruleID: "targetingGate" },
    ]);
  });

  test("reads the variant of an autotune as the server gives it, as a dynamic config and as an experiment", async () => {
    const headers = { "STATSIG-API-KEY": keys.serverKey, "Content-Type": "application/json" };
    const body = JSON.stringify({ configName: flags.autotune, user: pro, statsigMetadata: { exposureLoggingDisabled: true } });
    const response = await fetch(`${server.url}/v1/get_config`, { method: "POST", headers, body });
    const { value, rule_id: ruleID } = (await response.json()) as { value: { color: string }; rule_id: string };
    expect(["blue", "green"]).toContain(ruleID);
    expect(value).toEqual({ color: ruleID });
    expect([await application.config(flags.autotune, pro), await application.experiment(flags.autotune, pro)]).toEqual(
      Array(2).fill({ value, ruleID }),
    );
  });

  test("logs exposures, which appear among the events", async () => {
    const exposed = async (name: string) => {
      const { data } = await server.client.listEventValues({ path: { eventName: `statsig::${name}_exposure` }, query: { limit: 100 } });
      return data.filter(({ userID }) => userID === pro.userID).map(({ metadata }) => metadata);
    };
    await application.flush();
    await waitFor(async () =>
      expect(await exposed("gate")).toContainEqual(expect.objectContaining({ gate: flags.gate, ruleID: "gate_rule" })),
    );
    await waitFor(async () =>
      expect(await exposed("config")).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ config: flags.config, ruleID: "config_rule" }),
          expect.objectContaining({ config: flags.experiment, ruleID: "test" }),
        ]),
      ),
    );
    await waitFor(async () =>
      expect(await exposed("layer")).toContainEqual(expect.objectContaining({ config: flags.layer, ruleID: "test" })),
    );
  });

  test("sees a flip", async () => {
    await server.client.disableGate({ path: { id: flags.gate } });
    await waitFor(async () => expect(await application.gate(flags.gate, pro)).toEqual({ value: false, ruleID: "disabled" }));
  });

  test("survives a restart of the server, and sees a flip after it", async () => {
    await server.stop();
    // The SDK must not fail while the server is down. Its value does not matter.
    await application.gate(flags.gate, pro);
    await server.start();
    await server.client.enableGate({ path: { id: flags.gate } });
    await waitFor(async () => expect(await application.gate(flags.gate, pro)).toEqual({ value: true, ruleID: "gate_rule" }));
  });
}
