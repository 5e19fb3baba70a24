import { afterEach, beforeEach, expect, test } from "vitest";
import { randomProject } from "../sdk/random-project/random-project.ts";
import { makeKey } from "../support/keys.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { waitFor } from "../support/wait-for.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

const user = { userID: "ann", email: "ann@example.com", custom: { plan: "Pro" } };

/** Every response that applications with a key get. */
async function fetchResponses({ send }: TestServer, key: string) {
  const [v1, v2, initialized, flags] = await Promise.all([
    send("GET", "/v1/download_config_specs", { key }),
    send("GET", "/v2/download_config_specs", { key }),
    send("POST", "/v1/initialize", { key, body: { user, hash: "none" } }),
    send("POST", "/ofrep/v1/evaluate/flags", { key, body: { context: { targetingKey: "ann", plan: "Pro" } } }),
  ]);
  return { v1: v1.text, v2: v2.text, initialized: initialized.text, flags: flags.body.flags };
}

test.each([7, 23])(
  "random project %i, created and edited while applications read it, has the same responses as on a fresh replica",
  {
    timeout: 900_000,
  },
  async (seed) => {
    const limited = await makeKey(server, { environments: ["staging"] });
    const keys = [server.key, limited.key];
    const { client } = server;
    for (const { operation, request } of randomProject(seed).calls) {
      await (client[operation] as (request: object) => Promise<unknown>)(request);
      await Promise.all(keys.map((key) => fetchResponses(server, key)));
    }
    const { data: gates } = await client.listGates();
    for (const [index, { id }] of gates.entries()) {
      if (index % 2 === 0) await client.disableGate({ path: { id } });
      else await client.deleteGate({ path: { id }, query: { forceArchive: true } });
      await fetchResponses(server, server.key);
    }
    const fresh = await server.replica();
    for (const key of keys) {
      const expected = await fetchResponses(fresh, key);
      await waitFor(async () => expect(await fetchResponses(server, key)).toEqual(expected));
    }
    await fresh.close();
  },
);
