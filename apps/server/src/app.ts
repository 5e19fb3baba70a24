import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import type { Handlers } from "@gatehouse/contract";
import { type operations as ConsoleOperations, routes as consoleRoutes } from "@gatehouse/contract/console";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { routes as evaluationRoutes } from "@gatehouse/contract/evaluation";
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import cors from "cors";
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import { createAuthenticate } from "./authentication/key-check.ts";
import { createPathTokens } from "./authentication/path-tokens.ts";
import { dynamicConfigHandlers } from "./console/dynamic-configs/dynamic-config-handlers.ts";
import { environmentHandlers } from "./console/environments/environment-handlers.ts";
import { eventHandlers } from "./console/events/event-handlers.ts";
import { experimentHandlers } from "./console/experiments/experiment-handlers.ts";
import { experimentOverrideHandlers } from "./console/experiments/experiment-override-handlers.ts";
import { experimentStepHandlers } from "./console/experiments/experiment-step-handlers.ts";
import { gateHandlers } from "./console/gates/gate-handlers.ts";
import { gateOverrideHandlers } from "./console/gates/gate-override-handlers.ts";
import { gateRuleHandlers } from "./console/gates/gate-rule-handlers.ts";
import { holdoutHandlers } from "./console/holdouts/holdout-handlers.ts";
import { holdoutOverrideHandlers } from "./console/holdouts/holdout-override-handlers.ts";
import { keyHandlers } from "./console/keys/key-handlers.ts";
import { layerHandlers } from "./console/layers/layer-handlers.ts";
import { layerOverrideHandlers } from "./console/layers/layer-override-handlers.ts";
import { metricSourceHandlers } from "./console/metric-sources/metric-source-handlers.ts";
import { paramStoreHandlers } from "./console/param-stores/param-store-handlers.ts";
import { promptHandlers } from "./console/prompts/prompt-handlers.ts";
import { releasePipelineHandlers } from "./console/release-pipelines/release-pipeline-handlers.ts";
import { segmentHandlers } from "./console/segments/segment-handlers.ts";
import { segmentIDHandlers } from "./console/segments/segment-id-handlers.ts";
import { tagHandlers } from "./console/tags/tag-handlers.ts";
import { targetAppHandlers } from "./console/target-apps/target-app-handlers.ts";
import { teamHandlers } from "./console/teams/team-handlers.ts";
import { unitIDTypeHandlers } from "./console/unit-id-types/unit-id-type-handlers.ts";
import type { Authenticate } from "./context.ts";
import { AppError } from "./errors.ts";
import type { EvaluationHandlers } from "./evaluation/binding.ts";
import type { EvaluationServices } from "./evaluation/evaluation-services.ts";
import { eventIntakeHandlers } from "./evaluation/events/event-intake-handlers.ts";
import { toFlagError } from "./evaluation/ofrep/ofrep-error.ts";
import { ofrepHandlers } from "./evaluation/ofrep/ofrep-handlers.ts";
import { sdkHandlers } from "./evaluation/sdk/sdk-handlers.ts";
import { requireConsoleKey } from "./http/authenticate.ts";
import { refuseNulInPath } from "./http/body.ts";
import { type Documentation, documentation } from "./http/docs.ts";
import { answerErrors } from "./http/errors.ts";
import { createEvaluationRouter } from "./http/evaluation/evaluation-router.ts";
import type { EvaluationApi } from "./http/evaluation/operation-table.ts";
import { createMetrics, type Metrics } from "./http/metrics.ts";
import { observe } from "./http/observe.ts";
import { operationEndpoints } from "./http/operation-endpoints.ts";
import { type Api, createRouter } from "./http/router.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { sendJson } from "./http/send-json.ts";
import type { OnViolation } from "./http/validator.ts";
import { createChangeLog } from "./store/change-log.ts";
import type { Database } from "./store/database.ts";
import { reading } from "./store/unit-of-work.ts";
import { createStores, type Env } from "./stores.ts";

export type AppOptions = {
  database: Database;
  evaluation: EvaluationServices;
  log: Logger;
  corsOrigins?: string[];
  /** Fail a request whose response breaks the contract, where otherwise it is logged, counted and sent. */
  strictResponses?: boolean;
  /** The clock, milliseconds since the epoch. */
  now?: () => number;
  isDraining?: () => boolean;
};

const consoleHandlers: Handlers<ConsoleOperations, Env> = {
  ...dynamicConfigHandlers,
  ...environmentHandlers,
  ...eventHandlers,
  ...experimentHandlers,
  ...experimentOverrideHandlers,
  ...experimentStepHandlers,
  ...gateHandlers,
  ...gateOverrideHandlers,
  ...gateRuleHandlers,
  ...holdoutHandlers,
  ...holdoutOverrideHandlers,
  ...keyHandlers,
  ...layerHandlers,
  ...layerOverrideHandlers,
  ...metricSourceHandlers,
  ...paramStoreHandlers,
  ...promptHandlers,
  ...releasePipelineHandlers,
  ...segmentHandlers,
  ...segmentIDHandlers,
  ...tagHandlers,
  ...targetAppHandlers,
  ...teamHandlers,
  ...unitIDTypeHandlers,
};

const evaluationHandlers: EvaluationHandlers = {
  ...eventIntakeHandlers,
  ...ofrepHandlers,
  ...sdkHandlers,
};

const docsPage = (name: string) => fileURLToPath(import.meta.resolve(`@gatehouse/docs/${name}.html`));
const consoleApi: Api & Documentation = {
  name: "console",
  prefix: "/console/v1",
  document: consoleDocument,
  page: docsPage("console"),
  routes: consoleRoutes,
  handlers: consoleHandlers,
};
const evaluationApi: EvaluationApi & Documentation = {
  name: "evaluation",
  document: evaluationDocument,
  page: docsPage("evaluation"),
  routes: evaluationRoutes,
  handlers: evaluationHandlers,
  errorBodies: { evaluateFlag: toFlagError, evaluateFlags: toFlagError, streamFlagChanges: toFlagError },
};

/** The whole server over an open, migrated database: what answers its requests. */
export function createApp(options: AppOptions): RequestListener {
  const { database, log, now = Date.now, evaluation, strictResponses = false } = options;
  const metrics = createMetrics(database, evaluation.intake);
  const authenticate = createAuthenticate(database, now);
  const serveConsole = createConsoleApp(options, { metrics, authenticate, now });
  const serveEvaluation = createEvaluationRouter(evaluationApi, {
    ...evaluation,
    ...{ authenticate, log, metrics, now, strictResponses },
    tokens: createPathTokens(database),
    read: (context, work) => reading(database, (db) => work(createStores({ db, context, log: createChangeLog(db, context) }))),
  });
  return (request, response) => serveEvaluation(request, response, () => serveConsole(request, response));
}

type Common = { metrics: Metrics; authenticate: Authenticate; now: () => number };

/** All but the evaluation API, as an Express application. */
function createConsoleApp(
  { database, log, corsOrigins = [], strictResponses = false, isDraining = () => false }: AppOptions,
  { metrics, authenticate, now }: Common,
): Express {
  const reportViolation: OnViolation = (error, operation) => {
    metrics.responseViolations.inc({ operation });
    log.error({ operation, violation: error.message }, "A response breaks the contract. It was sent all the same.");
  };
  const { prefix, document } = consoleApi;
  const app = express();
  // Entities carry strong tags of their own; a hash of every body would cost more than it saves.
  app.disable("etag").disable("x-powered-by");
  app.use(observe(log, metrics), securityHeaders, sendJson);
  if (corsOrigins.length > 0)
    app.use(cors({ origin: corsOrigins, exposedHeaders: ["ETag", "X-Request-Id", "Retry-After", "Idempotency-Replayed"] }));
  app.use(prefix, requireConsoleKey(authenticate), refuseNulInPath);
  app.use(createRouter(consoleApi, { database, now, onViolation: strictResponses ? undefined : reportViolation }));
  app.use(operationEndpoints(database, metrics, isDraining), documentation([consoleApi, evaluationApi]));
  app.use(refuseUnknownPath, answerErrors(document, log));
  return app;
}

const refuseUnknownPath: RequestHandler = (request) => {
  throw new AppError("not_found", `There is nothing at ${request.baseUrl}${request.path}.`);
};
