import type { User } from "@gatehouse/evaluation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BACKUPS } from "../support/backups.ts";
import { needs } from "../support/needs.ts";
import { type OwnPostgres, startOwnPostgres } from "../support/own-postgres.ts";
import { closedPort } from "../support/port.ts";
import { startReady } from "../support/process.ts";
import { makeList } from "../support/segments.ts";
import { TEST_KEY } from "../support/template-database.ts";
import { waitFor } from "../support/wait-for.ts";
import { makeKeys } from "./support/flags.ts";
import { jsClient } from "./support/js-client.ts";
import { jsOnDeviceEvalClient } from "./support/js-on-device-eval-client.ts";
import { openFeatureServer } from "./support/openfeature-server.ts";
import { openFeatureWeb } from "./support/openfeature-web.ts";
import type { Application } from "./support/sdk.ts";
import { statsigNode } from "./support/statsig-node.ts";
import { statsigNodeCore } from "./support/statsig-node-core.ts";
import { webPage } from "./support/web-page.ts";

// Applications with every SDK run on while their server's database is restored from a backup. A flag that was turned off later is still on there.

const SDKS = [
  ...[statsigNode, statsigNodeCore, jsClient, jsOnDeviceEvalClient, openFeatureServer, openFeatureWeb],
  ...[webPage("statsig-js", "statsig-js.ts"), webPage("statsig-react", "statsig-react.ts")],
];
const USER: User = { userID: "alice" };
/** Enough ids that SDKs download their list. */
const IDS = Array.from({ length: 1_001 }, (_, index) => `tester ${index}`);

let own: OwnPostgres;
beforeAll(async () => {
  own = await startOwnPostgres();
});
afterAll(() => own.close());

async function startServer(port: number) {
  const env = { PORT: String(port), GATEHOUSE_CONSOLE_KEY: TEST_KEY, LOG_LEVEL: "error", DATABASE_URL: own.direct };
  const running = await startReady(env);
  return { url: running.url, stop: running.stop };
}

test.each([
  ["runs on", "from a dump"],
  ["starts after it", "from a copy of its files"],
] as const)(
  "applications of a replica that %s see a database that is restored %s",
  { ...needs.installedPostgres, ...needs.chromium },
  async (replica, name) => {
    const { client } = own.server;
    const flag = `flag ${name} ${replica}`;
    const conditions = [{ type: "passes_segment" as const, targetValue: await makeList(own.server, IDS) }];
    const { id } = (await client.createGate({ body: { name: flag, rules: [{ name: "all", passPercentage: 100, conditions: [] }] } })).data;
    const listed = (
      await client.createGate({ body: { name: `listed ${flag}`, rules: [{ name: "list", passPercentage: 100, conditions }] } })
    ).data;
    const keys = await makeKeys(client);
    const port = await closedPort();
    let running = await startServer(port);
    const restore = await BACKUPS[name](own.postgres, "gatehouse");
    await waitFor(async () => void (await client.disableGate({ path: { id } })));
    await client.addSegmentIDs({ path: { id: conditions[0]?.targetValue as string }, body: { ids: ["lost"] } });
    const started = await Promise.all(SDKS.map((sdk) => sdk.start({ url: running.url, ...keys, user: USER })));
    const core = started[SDKS.indexOf(statsigNodeCore)] as Application;
    const values = () => Promise.all(started.map(async (application) => (await application.gate(id, USER)).value));
    const passes = async () => (await core.gate(listed.id, { userID: "lost" })).value;
    await waitFor(async () => expect([await values(), await passes()]).toEqual([SDKS.map(() => false), true]));

    if (replica === "starts after it") await running.stop();
    await restore();
    if (replica === "starts after it") running = await startServer(port);
    await waitFor(async () => expect(await values()).toEqual(SDKS.map(() => true)));
    // The restored list is shorter than the one that the SDK had read.
    await waitFor(async () => expect(await passes()).toBe(false));
    await Promise.all(started.map((application) => application.stop()));
    await running.stop();
  },
);
