import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";
import { makeKeys } from "./support/flags.ts";
import { statsigNodeCore } from "./support/statsig-node-core.ts";

/** Enough ids that the ruleset references their list, and an SDK downloads it. */
const IDS = Array.from({ length: 1_001 }, (_, index) => `tester ${index}`);

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
});
afterAll(() => server.close());

test("an SDK follows a long id list with added and removed ids", async () => {
  const { client, url } = server;
  const { data: segment } = await client.createSegment({ body: { name: "testers", type: "id_list" } });
  await client.addSegmentIDs({ path: { id: segment.id }, body: { ids: IDS } });
  const conditions = [{ type: "passes_segment" as const, targetValue: segment.id }];
  await client.createGate({ body: { name: "new search", rules: [{ name: "testers", passPercentage: 100, conditions }] } });
  const application = await statsigNodeCore.start({ url, ...(await makeKeys(client)), user: {} });
  const passes = async () => {
    const answers = ["tester 1000", "late", "nobody"].map(async (userID) => (await application.gate("new_search", { userID })).value);
    return Promise.all(answers);
  };

  await waitFor(async () => expect(await passes()).toEqual([true, false, false]));
  await client.addSegmentIDs({ path: { id: segment.id }, body: { ids: ["late"] } });
  await waitFor(async () => expect(await passes()).toEqual([true, true, false]));
  await client.removeSegmentIDs({ path: { id: segment.id }, body: { ids: ["tester 1000"] } });
  await waitFor(async () => expect(await passes()).toEqual([false, true, false]));
  await application.stop();
});
