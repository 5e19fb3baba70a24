import { createConsoleClient, type Schema } from "@gatehouse/client";
import { routes } from "@gatehouse/contract/console";
import type { RulesetV1 } from "@gatehouse/evaluation";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONFIGURED, configuredType } from "../../src/console/configuration/configured-kinds.ts";
import { entitySlices } from "../../src/console/kinds.ts";
import { perform } from "../sdk/random-project/calls.ts";
import { randomProject } from "../sdk/random-project/random-project.ts";
import { makeFixture, makeNamed } from "../support/fixtures.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const clientOf = (apiKey: string) => createConsoleClient({ baseUrl: server.url, apiKey, retry: { attempts: 1 } });

/** Steps in the lives of experiments and autotunes, the IDs of ID lists, and archiving: what an export leaves out. */
const LIVES = /^(start|abandon|make|archive|disableExperiment|resetSegment|addSegment|updateSegmentIDs)|^patchExperiment$/;

/** The ruleset of a project, without its time, versions and salts, which are random. */
async function rulesetOf(apiKey: string): Promise<unknown> {
  const { body } = await server.send("GET", `/v1/download_config_specs/${apiKey}.json`, { key: apiKey });
  const { time: _time, feature_gates, dynamic_configs, layer_configs, layers, param_stores } = body as RulesetV1;
  const withoutVersions = (value: unknown) =>
    JSON.parse(JSON.stringify(value, (name, part) => (name === "salt" || name === "version" ? undefined : part)));
  return withoutVersions({ feature_gates, dynamic_configs, layer_configs, layers, param_stores });
}

test.each(Array.from({ length: 20 }, (_, index) => index + 1))(
  "an export, applied to an empty project, exports as the same text and evaluates to the same ruleset (seed %i)",
  async (seed) => {
    const [from, to] = [await makeOtherProject(server, `from_${seed}`), await makeOtherProject(server, `to_${seed}`)];
    const { calls } = randomProject(seed);
    await perform(
      clientOf(from),
      calls.filter(({ operation }) => !LIVES.test(operation)),
    );
    const exported = await clientOf(from).exportProject();
    // The order in files is free.
    const reversed = Object.fromEntries(
      Object.entries(exported.data).map(([kind, entities]) => [kind, kind === "environments" ? entities : [...entities].reverse()]),
    ) as Schema<"Configuration">;
    const applied = await clientOf(to).applyProject({ body: { configuration: reversed, prune: true } });
    expect(applied.data.filter(({ action }) => action === "remove")).toEqual([]);
    expect(JSON.stringify((await clientOf(to).exportProject()).data)).toBe(JSON.stringify(exported.data));
    expect(await rulesetOf(to)).toEqual(await rulesetOf(from));
    const again = await clientOf(to).applyProject({ body: { configuration: exported.data, prune: true }, query: { dryRun: true } });
    expect([again.data, again.changes]).toEqual([[], []]);
  },
);

test("an entity of each kind, made from the example of its operation, is in an export and the same in another project", async () => {
  await makeNamed(server);
  await server.client.updateProjectSettings({ body: { name: "default", visibility: "CLOSED", timeZone: "Europe/Berlin" } });
  const slices = entitySlices.filter(({ kind, operations }) => operations.create !== null && configuredType(kind.type));
  for (const { operations } of slices) await makeFixture(server, routes[operations.read].path);
  for (const owner of ["gates", "experiments", "layers", "holdouts"]) await makeFixture(server, `/console/v1/${owner}/{id}/overrides`);
  const { data } = await server.client.exportProject();
  const to = clientOf(await makeOtherProject(server, "every_kind"));
  await to.applyProject({ body: { configuration: data } });
  const copied = (await to.exportProject()).data;
  expect(JSON.stringify(copied, null, 1)).toBe(JSON.stringify(data, null, 1));
  // The fixtures of holdouts and layers have no overrides by ID.
  const missing = CONFIGURED.filter(({ kind }) => data[kind] === undefined).map(({ kind }) => kind);
  expect(missing).toEqual(["layerOverrides"]);
});
