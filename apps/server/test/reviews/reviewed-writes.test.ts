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

/** Other examples change nothing that is evaluated: they enable what is enabled, or restore what is current. */
const IN_REVIEW = [
  "abandonExperiment",
  "addExperimentOverrides",
  "addGateOverrides",
  "addGateRule",
  "addGateRules",
  "addHoldoutOverrides",
  "addSegmentIDs",
  "addSegmentUserStoreIDs",
  "assignTargetApps",
  "cancelMetricArchive",
  "createAssignmentSource",
  "createAutotune",
  "createEntityPropertySource",
  "createLayer",
  "createMetric",
  "createMetricSource",
  "createParamStore",
  "createPrompt",
  "createPromptVersion",
  "createQualifyingEvent",
  "deleteAssignmentSource",
  "deleteAutotune",
  "deleteDynamicConfigRule",
  "deleteEntityPropertySource",
  "deleteGateRule",
  "deleteLayer",
  "deleteMetric",
  "deleteMetricSource",
  "deleteParamStore",
  "deletePromptVersion",
  "deleteQualifyingEvent",
  "launchGate",
  "makeAutotuneDecision",
  "makeExperimentDecision",
  "patchAssignmentSource",
  "patchDynamicConfig",
  "patchDynamicConfigRule",
  "patchEntityPropertySource",
  "patchExperiment",
  "patchGateRule",
  "patchHoldout",
  "patchLayerOverrides",
  "removeSegmentIDs",
  "removeSegmentUserStoreIDs",
  "resetAutotune",
  "resetExperiment",
  "resetSegmentIDList",
  "restoreEnvironmentSetVersion",
  "scheduleExperimentStart",
  "scheduleMetricArchive",
  "startAutotune",
  "startExperiment",
  "unarchiveMetric",
  "updateAssignmentSource",
  "updateDynamicConfig",
  "updateEntityPropertySource",
  "updateEnvironments",
  "updateExperimentOverrides",
  "updateGate",
  "updateGateOverrides",
  "updateHoldout",
  "updateHoldoutOverrides",
  "updateLayer",
  "updateLayerOverrides",
  "updateMetricSource",
  "updateParamStore",
  "updateQualifyingEvent",
  "updateReviewSettings",
  "updateSegmentRules",
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

  test("since each write of what they evaluate, and of what results are computed from, is stored as a review", () => {
    const inReview = writes.filter(({ operationId }) => answered.get(operationId) === "in review");
    expect(inReview.map(({ operationId }) => operationId).sort()).toEqual(IN_REVIEW);
  });
});
