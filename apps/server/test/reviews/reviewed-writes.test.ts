import { createConsoleClient } from "@gatehouse/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeNamed } from "../support/fixtures.ts";
import { writes } from "../support/operations.ts";
import { prepare } from "../support/prepare.ts";
import { reviewing } from "../support/reviewing.ts";
import { startServer, type TestServer } from "../support/server.ts";
import { readValues } from "../support/values.ts";

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
    const before = await readValues(server);
    const answer = await server.send(method, url, { body, headers });
    answered.set(operationId, answer.body.review ? "in review" : String(answer.status));
    expect([operationId, answer.status < 300]).toEqual([operationId, true]);
    expect(await readValues(server)).toEqual(before);
  });

  test("since writes of each kind that they evaluate, and of what results are computed from, are stored as reviews", () => {
    const inReview = writes.filter(({ operationId }) => answered.get(operationId) === "in review");
    const kinds = [...new Set(inReview.map(({ entity }) => entity))].sort();
    expect(kinds).toEqual(KINDS);
  });
});
