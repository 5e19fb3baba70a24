import { byID, type Fixture } from "./fixture-entities.ts";
import { makeKey } from "./keys.ts";
import type { TestServer } from "./server.ts";

/** The phase that the contract's examples of steps name. */
const FIRST = { id: "8sKf0LwQ2ZxN5aYp7RtGdE", name: "First", timeIntervalMs: 3_600_000, requiredReview: false, rules: [] };
const BEFORE = { ...FIRST, id: "before", name: "Before" };
const APPROVED = { ...FIRST, requiredReview: true };
const EVERYONE = { name: "Everyone", passPercentage: 100, conditions: [] };

/** A release of a change to a gate, by a key that may not approve it. */
async function makeRelease({ client, send }: TestServer, name: string, phases = [FIRST]): Promise<Fixture> {
  const { data: pipeline } = await client.createReleasePipeline({ body: { name, phases } });
  const { key } = await makeKey({ client }, { type: "CONSOLE", scopes: ["omni_read_write"] });
  const body = { name, rules: [EVERYONE], releasePipelineID: pipeline.id };
  const gate = await send("POST", "/console/v1/gates", { key, body });
  if (gate.status !== 201) throw new Error(`createGate was answered ${gate.status}: ${JSON.stringify(gate.body)}`);
  const { data } = await client.listReleases({ query: { gateID: gate.body.data.id } });
  return byID("release", data[0]?.id ?? "");
}

type Maker = (server: TestServer, name: string) => Promise<Fixture>;

/** What the operations on releases address. */
export const releaseMakers: Record<string, Maker> = {
  "/console/v1/release_pipeline_triggers/{id}": (server, name) => makeRelease(server, name),
  "PUT /console/v1/release_pipeline_triggers/{id}/approve": (server, name) => makeRelease(server, name, [APPROVED]),
  "PUT /console/v1/release_pipeline_triggers/{id}/skip": (server, name) => makeRelease(server, name, [BEFORE, FIRST]),
  "PUT /console/v1/release_pipeline_triggers/{id}/unpause": async (server, name) => {
    const release = await makeRelease(server, name);
    await server.client.pauseRelease({ path: { id: release.parameters.id as string }, body: { phaseID: FIRST.id } });
    return release;
  },
};
