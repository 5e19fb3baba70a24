import { createConsoleClient } from "@gatehouse/client";
import type { RulesetV1 } from "@gatehouse/evaluation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../support/needs.ts";
import { makeOtherProject } from "../support/other-project.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { type Disagreement, findDisagreement } from "./differential/disagreement.ts";
import type { Access, Evaluator } from "./differential/evaluator.ts";
import { minimize } from "./differential/minimize.ts";
import { ofrepEvaluator, ofrepSingleEvaluator } from "./differential/ofrep-evaluator.ts";
import { ownEvaluator } from "./differential/own-evaluator.ts";
import { previewEvaluator } from "./differential/preview-evaluator.ts";
import { statsigNodeCoreEvaluator } from "./differential/statsig-node-core-evaluator.ts";
import { statsigNodeEvaluator } from "./differential/statsig-node-evaluator.ts";
import { listSubjects } from "./differential/subject.ts";
import { watched } from "./differential/watched.ts";
import { perform } from "./random-project/calls.ts";
import { type RandomProject, randomProject } from "./random-project/random-project.ts";
import { readIDLists } from "./support/id-lists.ts";

// Real SDKs of both generations, our evaluator, OFREP and the console's preview must evaluate random projects identically.
// To debug one seed: DIFFERENTIAL_SEED=17 npx vitest run test/sdk/differential.test.ts

/** The older generation compares days in the process's time zone, the newer one in UTC. */
process.env.TZ = "UTC";

/** A nightly run has TEST_SEEDS set to `all` and evaluates more. */
const PROJECTS = process.env.TEST_SEEDS === "all" ? 200 : 30;
/** Projects per test: few, so that a failure narrows down its seed. */
const PROJECTS_PER_TEST = 20;
const only = process.env.DIFFERENTIAL_SEED;
const seeds = only === undefined ? Array.from({ length: PROJECTS }, (_, index) => index + 1) : [Number(only)];
const batches = Array.from({ length: Math.ceil(seeds.length / PROJECTS_PER_TEST) }, (_, index) =>
  seeds.slice(index * PROJECTS_PER_TEST, (index + 1) * PROJECTS_PER_TEST),
);

const deciding = new Set<string>();
const EVALUATORS: Evaluator[] = [statsigNodeEvaluator, statsigNodeCoreEvaluator, watched(ownEvaluator, deciding), ofrepEvaluator];

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ now: Date.now });
});
afterAll(() => server.close());

let count = 0;

/** Creates the project on the server, and evaluates everything for each of its users with every evaluator. */
async function disagreementIn({ calls, users, tier, key }: RandomProject, evaluators = EVALUATORS): Promise<Disagreement | undefined> {
  count += 1;
  const apiKey = await makeOtherProject(server, `project_${count}`);
  const client = createConsoleClient({ baseUrl: server.url, apiKey, retry: { attempts: 1 } });
  await perform(client, calls);
  const [targetAppID, ...secondaryTargetAppIDs] = key.targetApps;
  const { data } = await client.createKey({
    body: { description: "", type: "SERVER", environments: key.environments, targetAppID, secondaryTargetAppIDs },
  });
  const isLimited = key.environments.length > 0 || key.targetApps.length > 0;
  const all = isLimited ? evaluators : [...evaluators, previewEvaluator];
  return findDisagreement(all, await accessWith(data.key ?? "", apiKey, tier), users);
}

async function accessWith(key: string, consoleKey: string, tier: string | undefined): Promise<Access> {
  const { url } = server;
  const response = await fetch(`${url}/v1/download_config_specs`, { headers: { "STATSIG-API-KEY": key } });
  const ruleset = (await response.json()) as RulesetV1;
  return { url, key, consoleKey, tier, ruleset, idLists: await readIDLists(url, key), subjects: listSubjects(ruleset) };
}

/** The report of a failure: the smallest case that still fails, and each evaluator's value. */
async function report(project: RandomProject, found: Disagreement): Promise<string> {
  let last = found;
  const smallest = await minimize({ ...project, users: [found.user] }, async (candidate) => {
    const again = await disagreementIn(candidate).catch(() => undefined);
    if (again) last = again;
    return again !== undefined;
  });
  return JSON.stringify({ ...smallest, users: undefined, ...last }, null, 2);
}

describe("SDKs of both generations, our evaluator, OFREP and the preview of the console give the same values and rule ids", () => {
  test.each(batches.map((batch) => ({ batch, first: batch[0], last: batch.at(-1) })))(
    "in the random projects of the seeds $first to $last",
    { timeout: 300_000 },
    async ({ batch }) => {
      for (const seed of batch) {
        const project = randomProject(seed, { hasReleases: true });
        const found = await disagreementIn(project);
        expect(found && (await report(project, found))).toBeUndefined();
      }
    },
  );

  test("in random projects with values that the older generation reads differently, except for the SDK of that generation", {
    timeout: 300_000,
  }, async () => {
    const newer = EVALUATORS.filter((evaluator) => evaluator !== statsigNodeEvaluator);
    for (const seed of batches[0] ?? []) {
      const project = randomProject(seed, { isOdd: true, hasReleases: true });
      const found = await disagreementIn(project, newer);
      expect(found && (await report(project, found))).toBeUndefined();
    }
  });

  test("OFREP evaluates one flag as in a bulk evaluation", async () => {
    const { users, ...project } = randomProject(seeds[0] ?? 1);
    expect(await disagreementIn({ ...project, users: users.slice(0, 10) }, [ofrepEvaluator, ofrepSingleEvaluator])).toBeUndefined();
  });

  test("each kind of rule decides at least once in these projects", needs.allSeeds, () => {
    expect([...deciding]).toEqual(
      expect.arrayContaining([
        ...[
          "default",
          "disabled",
          "id_list",
          "gates_#_rule_#",
          "configs_#_rule_#",
          "configs_#_rule_#_two",
          "segments_#_rule_#",
          "launched",
        ],
        ...["pass:all:id_override", "fail:all:id_override", "pass:production:id_override", "holdout", "holdout:#.#:#"],
        ...[
          "prestart",
          "layerAssignment",
          "targetingGate",
          "inlineTargetingRules",
          "experiments_#_group_#",
          "layers_#_experiment_#_group_#",
        ],
        ...["experiments_#_group_#:override", "experiments_#_group_#:userID:id_override", "launchedGroup", "abandoned"],
      ]),
    );
  });
});
