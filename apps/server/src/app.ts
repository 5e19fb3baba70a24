import { fileURLToPath } from "node:url";
import type { Handlers } from "@gatehouse/contract";
import { type operations as ConsoleOperations, routes as consoleRoutes } from "@gatehouse/contract/console";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import { type operations as EvaluationOperations, routes as evaluationRoutes } from "@gatehouse/contract/evaluation";
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import cors from "cors";
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
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
import { createAuthenticate } from "./console/keys/key-check.ts";
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
import { AppError } from "./errors.ts";
import { eventHandlers as eventIntakeHandlers } from "./evaluation/events/event-handlers.ts";
import type { EventIntake } from "./evaluation/events/event-intake.ts";
import { requireKey } from "./http/authenticate.ts";
import { refuseNulInPath } from "./http/body.ts";
import { type Documentation, documentation } from "./http/docs.ts";
import { answerErrors } from "./http/errors.ts";
import { createMetrics } from "./http/metrics.ts";
import { observe } from "./http/observe.ts";
import { operationEndpoints } from "./http/operation-endpoints.ts";
import { type Api, createRouter } from "./http/router.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { sendJson } from "./http/send-json.ts";
import type { OnViolation } from "./http/validator.ts";
import type { Database } from "./store/database.ts";
import type { Env } from "./stores.ts";

export type AppOptions = {
  database: Database;
  intake: EventIntake;
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

function evaluationHandlers(intake: EventIntake): Handlers<EvaluationOperations, Env> {
  const log = ({ body, context }: Parameters<Handlers<EvaluationOperations, Env>["logEvent"]>[0]) =>
    eventIntakeHandlers.logEvent({ body, intake, caller: { credentials: context } as never });
  return { logEvent: log, registerEvents: log };
}

const docsPage = (name: string) => fileURLToPath(import.meta.resolve(`@gatehouse/docs/${name}.html`));
const apisOf = (intake: EventIntake): (Api & Documentation)[] => [
  {
    name: "console",
    prefix: "/console/v1",
    keyTypes: ["CONSOLE"],
    document: consoleDocument,
    page: docsPage("console"),
    routes: consoleRoutes,
    handlers: consoleHandlers,
  },
  {
    name: "evaluation",
    prefix: "/v1",
    keyTypes: ["CONSOLE", "SERVER", "CLIENT"],
    document: evaluationDocument,
    page: docsPage("evaluation"),
    routes: evaluationRoutes,
    handlers: evaluationHandlers(intake),
  },
];

/** The whole server as an Express application over an open, migrated database. */
export function createApp({
  database,
  intake,
  log,
  corsOrigins = [],
  strictResponses = false,
  now = Date.now,
  isDraining = () => false,
}: AppOptions): Express {
  const apis = apisOf(intake);
  const metrics = createMetrics(database, intake);
  const authenticate = createAuthenticate(database, now);
  const reportViolation: OnViolation = (error, operation) => {
    metrics.responseViolations.inc({ operation });
    log.error({ operation, violation: error.message }, "A response breaks the contract. It was sent all the same.");
  };
  const app = express();
  // Entities carry strong tags of their own; a hash of every body would cost more than it saves.
  app.disable("etag").disable("x-powered-by");
  app.use(observe(log, metrics), securityHeaders, sendJson);
  if (corsOrigins.length > 0)
    app.use(cors({ origin: corsOrigins, exposedHeaders: ["ETag", "X-Request-Id", "Retry-After", "Idempotency-Replayed"] }));
  for (const api of apis) {
    app.use(api.prefix, requireKey(authenticate, api.keyTypes), refuseNulInPath);
    app.use(createRouter(api, { database, now, onViolation: strictResponses ? undefined : reportViolation }));
    app.use(api.prefix, refuseUnknownPath, answerErrors(api.document, log));
  }
  app.use(operationEndpoints(database, metrics, isDraining), documentation(apis));
  app.use(refuseUnknownPath, answerErrors(consoleDocument, log));
  return app;
}

const refuseUnknownPath: RequestHandler = (request) => {
  throw new AppError("not_found", `There is nothing at ${request.baseUrl}${request.path}.`);
};
