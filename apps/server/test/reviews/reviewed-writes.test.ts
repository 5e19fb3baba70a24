import { createConsoleClient } from "@gatehouse/client";
import type { Spec } from "@gatehouse/evaluation";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCompiler } from "../../src/evaluation/compile/compiler.ts";
import { applyUpdate, readUpdate } from "../../src/evaluation/rulesets/loaded-project.ts";
import { v1Text } from "../../src/evaluation/rulesets/ruleset-text.ts";
import { makeNamed } from "../support/fixtures.ts";
import { writes } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { reviewing } from "../support/reviewing.ts";
import { startServer, type TestServer } from "../support/server.ts";

// Every environment and every setting of the project asks for reviews. What a write needs exists already.

let server: TestServer;
let exempt: TestServer;
const answered = new Map<string, string>();
const { exemptKey, require: requireReviews } = reviewing(() => server);
beforeAll(async () => {
  server = await startServer();
  const key = await exemptKey();
  const client = createConsoleClient({ baseUrl: server.url, apiKey: key, retry: { attempts: 1 } });
  exempt = { ...server, key, client, send: (method, path, options) => server.send(method, path, { key, ...options }) };
  await makeNamed(exempt);
  await requireReviews(["development", "staging", "production"]);
  const ofMetrics = { is_metric_review_required: true, is_metric_review_required_on_verified_only: false };
  const ofWarehouses = { is_whn_source_review_required: true, is_whn_analysis_only_review_required: true };
  await client.updateReviewSettings({ body: { is_config_review_required: true, ...ofMetrics, ...ofWarehouses } });
});
afterAll(() => server.close());

/** What applications get, without the specs that give everyone what applications get for a missing one. */
async function readValues(): Promise<unknown> {
  const update = await readUpdate(server.database, "default");
  if (!update) throw new Error("The project was expected to exist.");
  const { loaded } = applyUpdate(update, 0);
  const ruleset = createCompiler(loaded.state, { environments: [], targetApps: [] }).compile(0);
  const { feature_gates, dynamic_configs, layer_configs, ...others } = JSON.parse(Buffer.concat(v1Text(ruleset, "")).toString());
  return { ...others, specs: [...feature_gates, ...dynamic_configs, ...layer_configs].filter(decides).map(withoutVersion) };
}

/** False for a spec from which everyone gets false or nothing, and no group of an experiment. */
const decides = ({ enabled, rules, defaultValue }: Spec) => {
  const everyone = rules.findIndex(({ passPercentage, conditions }) => passPercentage === 100 && conditions[0]?.type === "public");
  const reached = everyone === -1 ? rules : rules.slice(0, everyone + 1);
  const gives = reached.some((one) => one.passPercentage > 0 && (one.groupName || one.configDelegate || !isMissing(one.returnValue)));
  return (enabled && gives) || !isMissing(defaultValue);
};
const isMissing = (value: unknown) => value === false || JSON.stringify(value) === "{}";
const withoutVersion = ({ version: _, ...spec }: Spec) => spec;

const KINDS = [
  "assignment_source",
  "autotune",
  "dynamic_config",
  "entity_property_source",
  "environment_set",
  "experiment",
  "experiment_overrides",
  "gate",
  "gate_overrides",
  "holdout",
  "holdout_overrides",
  "layer",
  "layer_overrides",
  "metric",
  "metric_source",
  "param_store",
  "prompt",
  "qualifying_event",
  "segment",
  "settings",
];

describe("a write to a project that requires reviews changes nothing that applications get", () => {
  test.each(writes.filter(({ takesApplyAt }) => takesApplyAt))("$operationId", async (operation) => {
    const { operationId, method } = operation;
    const { url, body, headers } = await prepare(exempt, operation);
    const before = await readValues();
    const answer = await server.send(method, url, { body, headers });
    answered.set(operationId, answer.body.review ? "in review" : String(answer.status));
    expect([operationId, answer.status < 300]).toEqual([operationId, true]);
    expect(await readValues()).toEqual(before);
  });

  test("since writes of each kind that they evaluate, and of what results are computed from, are stored as reviews", () => {
    const inReview = writes.filter(({ operationId }) => answered.get(operationId) === "in review");
    const kinds = [...new Set(inReview.map(({ entity }) => entity))].sort();
    expect(kinds).toEqual(KINDS);
  });
});
