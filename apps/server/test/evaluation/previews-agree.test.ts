import { createConsoleClient } from "@gatehouse/client";
import type { Schema } from "@gatehouse/contract/console";
import type { User } from "@gatehouse/evaluation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { perform } from "../sdk/random-project/calls.ts";
import { randomProject } from "../sdk/random-project/random-project.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";

// The impact in a dry run agrees with evaluations before and after the change. sdk/differential.test.ts proves that evaluations agree with
// OFREP and with SDKs.

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
});
afterAll(() => server.close());

const pickTier = (index: number) => ["production", "staging", "development"][index % 3] as string;

/** Users who differ by an id, since a unit counts once. Private attributes are not kept. */
function distinctUsers(users: User[]): User[] {
  return users.map(({ privateAttributes: _, ...user }, index) => ({
    ...user,
    customIDs: { ...user.customIDs, number: `${index}` },
    statsigEnvironment: { tier: pickTier(index) },
  }));
}

let seen = 0;
type Result = Schema<"EntityEvaluation">;

test.each([3, 8, 13, 21, 34, 55])(
  "random project %i: the impact of a change is what evaluations show before and after it",
  async (seed) => {
    const apiKey = await makeOtherProject(server, `random ${seed}`);
    const client = createConsoleClient({ baseUrl: server.url, apiKey, retry: { attempts: 1 } });
    const project = randomProject(seed);
    await perform(client, project.calls);
    const users = distinctUsers(project.users);
    const { data: gates } = await client.listGates();
    const entities = [
      ...gates.map(({ id }) => ({ type: "gate" as const, id })),
      ...(await client.listDynamicConfigs()).data.map(({ id }) => ({ type: "dynamic_config" as const, id })),
      ...(await client.listAutotunes()).data.map(({ id }) => ({ type: "autotune" as const, id })),
      ...(await client.listExperiments()).data.map(({ id }) => ({ type: "experiment" as const, id })),
      ...(await client.listLayers()).data.map(({ id }) => ({ type: "layer" as const, id })),
      ...(await client.listParamStores()).data.map(({ name }) => ({ type: "param_store" as const, id: name })),
    ];
    const events = users.flatMap((user) =>
      gates.map(({ id }) => ({ eventName: "statsig::gate_exposure", user, metadata: { gate: id, gateValue: "true", ruleID: "" } })),
    );
    expect((await server.send("POST", "/v1/log_event", { key: apiKey, body: { events } })).status).toBe(202);

    const evaluateAll = async () => (await client.evaluateUsers({ body: { users, entities } })).data.map(({ results }) => results);
    for (const { id, isEnabled } of gates) {
      const body = { isEnabled: !isEnabled };
      const before = await evaluateAll();
      const { impact } = await client
        .patchGate({ path: { id }, query: { dryRun: true, impact: 1_000 }, body })
        .catch(() => ({ impact: undefined }));
      if (!impact) continue;
      await client.patchGate({ path: { id }, body });
      const after = await evaluateAll();
      for (const { environment, users: count, changed, transitions } of impact) {
        const here = users.flatMap((_, index) => (pickTier(index) === environment ? [index] : []));
        const isOther = (own: Result, other: Result) => JSON.stringify(own.value) !== JSON.stringify(other.value);
        const differing = (index: number) =>
          (before[index] as Result[])
            .filter((own, place) => isOther(own, after[index]?.[place] as Result))
            .map((own) => `${own.type} ${own.id}`);
        expect(count).toBe(here.length);
        expect(changed).toBe(here.filter((index) => differing(index).length > 0).length);
        const previewed = transitions.flatMap(({ type, id: name, count: times }) => Array.from({ length: times }, () => `${type} ${name}`));
        seen += previewed.length;
        expect(previewed.sort()).toEqual(here.flatMap(differing).sort());
      }
    }
  },
);

test("values change in these projects", () => {
  expect(seen).toBeGreaterThan(20);
});
