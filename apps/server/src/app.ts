import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { descriptions as consoleDescriptions } from "@gatehouse/contract/console";
import consoleDocument from "@gatehouse/contract/console.json" with { type: "json" };
import evaluationDocument from "@gatehouse/contract/evaluation.json" with { type: "json" };
import { descriptions as scimDescriptions } from "@gatehouse/contract/scim";
import scimDocument from "@gatehouse/contract/scim.json" with { type: "json" };
import cors from "cors";
import express, { type Express } from "express";
import { accountHandlers } from "./accounts/account-handlers.ts";
import { toRelyingParty } from "./accounts/second-factors/relying-party.ts";
import { createSessionCheck } from "./accounts/session-check.ts";
import type { AppOptions } from "./app-options.ts";
import { createKeyCheck, recentlyUsedByApplications } from "./authentication/key-check.ts";
import { noteForeignUse } from "./authentication/note-foreign-use.ts";
import { createPathTokens } from "./authentication/path-tokens.ts";
import { createRelayedKeys } from "./authentication/relayed-keys.ts";
import type { Executor } from "./changes/executor.ts";
import { compileAddresses } from "./common/address-ranges.ts";
import type { Authenticate, PermittedContext, Provisioning } from "./common/context.ts";
import type { SessionLimits } from "./common/session-limits.ts";
import { HOUR_MS } from "./common/utc-day.ts";
import { createVault } from "./common/vault.ts";
import { addressedBy } from "./console/addressed.ts";
import { streamAuditLogs } from "./console/audit-logs/audit-log-stream-handlers.ts";
import { consoleHandlers } from "./console/handlers.ts";
import { streamReport } from "./console/reports/report-stream-handlers.ts";
import { createStores, type Stores } from "./console/stores.ts";
import { streamUnitData } from "./console/unit-data/unit-data-stream-handlers.ts";
import { streamUsage } from "./console/usage/usage-stream-handlers.ts";
import { applicationApi } from "./evaluation/application-api.ts";
import type { EvaluationHandlers } from "./evaluation/binding.ts";
import { createRelayHandlers } from "./evaluation/relays/relay-handlers.ts";
import { warmUp } from "./evaluation/rulesets/warm-up.ts";
import { type Callers, createCallers } from "./http/common/callers.ts";
import { documentation, openApiDocuments } from "./http/common/docs.ts";
import { errorPages } from "./http/common/error-page.ts";
import { createLargeBodies, type LargeBodies } from "./http/common/large-bodies.ts";
import { expressMessages, type Messages } from "./http/common/messages.ts";
import { watchMetrics } from "./http/common/metrics.ts";
import { observe } from "./http/common/observe.ts";
import { operationEndpoints } from "./http/common/operation-endpoints.ts";
import { refuseNulInPath } from "./http/common/refuse-nul.ts";
import { readTarget, redirectFromBasePath } from "./http/common/request-target.ts";
import type { OnViolation } from "./http/common/response-check.ts";
import { type Compilation, refuseUnknownPath, runBetweenRequests } from "./http/common/routes.ts";
import { securityText } from "./http/common/security-text.ts";
import { readPage, webConsole } from "./http/common/web.ts";
import { identifyCaller } from "./http/console/authenticate.ts";
import { type ChangeStreams, createChangeStreams } from "./http/console/change-streams.ts";
import { createCookies } from "./http/console/cookies.ts";
import { answerErrors } from "./http/console/errors.ts";
import { createMcpRouter } from "./http/console/mcp/mcp-router.ts";
import { noteKeyUse } from "./http/console/note-key-use.ts";
import { type Api, createRouter } from "./http/console/router.ts";
import { securityHeaders } from "./http/console/security-headers.ts";
import { sendJson } from "./http/console/send-json.ts";
import { createEvaluationRouter } from "./http/evaluation/evaluation-router.ts";
import { createRequestLimiter } from "./http/evaluation/request-limiter.ts";
import { createSharedCaching } from "./http/evaluation/shared-caching.ts";
import { createScimRouter, type ScimApi } from "./http/scim/scim-router.ts";
import { scimHandlers } from "./scim/handlers.ts";
import type { ScimConfig } from "./scim/scim-env.ts";
import { FORWARDED_IGNORED } from "./startup/proxies.ts";
import { createChangeLog } from "./store/change-log/change-log.ts";
import { createKeyAddresses } from "./store/change-log/key-addresses.ts";
import { createRepeatedEvents, type RepeatedEvents } from "./store/change-log/repeated-events.ts";
import { reading } from "./store/database/unit-of-work.ts";
import { createWriteLimiter } from "./store/requests/write-limiter.ts";

const consoleApi: Api = {
  prefix: "/console/v1",
  document: consoleDocument,
  descriptions: consoleDescriptions,
  handlers: consoleHandlers,
  accountHandlers,
  addressedBy,
};

const scimApi: ScimApi = {
  prefix: "/scim/v2",
  document: scimDocument,
  descriptions: scimDescriptions,
  handlers: scimHandlers,
};

const documents = { console: consoleDocument, evaluation: evaluationDocument, scim: scimDocument };

export type App = RequestListener & {
  /** The classes with which a server creates its requests and responses. Others work too, but cost memory. */
  messages: Messages;
  /** Compiles the rulesets that applications used recently, so that their first requests don't wait. Logs why that fails. */
  prepareRulesets(): Promise<void>;
  /**
   * Compiles the validators of all operations between requests. Without it, the first request of each does that.
   * @throws Error if the contract cannot be compiled
   */
  prepareOperations(): Promise<void>;
  /** Executes stored requests. */
  executor: Executor;
  /** The settings of identity providers that limit writes. */
  provisioning: Provisioning | undefined;
  /** Ends the streams of changes and rejects new ones, because the server stops. */
  endStreams(): void;
};

/** The request listener of the whole server, over an open, migrated database. */
export function createApp(options: AppOptions): App {
  const { database, log, now = Date.now, evaluation, strictResponses = false, trustedProxies = [], publicUrl } = options;
  const { instruments } = evaluation;
  const { tracing } = options;
  watchMetrics(instruments, {
    ...{ database, evaluation },
    clock: options.clock ?? { aheadMs: () => 0 },
    drift: options.drift ?? { latest: () => 0 },
    jobDelays: options.jobDelays ?? (() => []),
    queues: options.queues ?? (() => []),
  });
  const { repeatedEvents = createRepeatedEvents(database) } = options;
  const onForeign = noteForeignUse({ repeatedEvents, now, log });
  const { authenticate, hasTrustedKey } = options.keyCheck ?? createKeyCheck(database, now, onForeign);
  const canReadFlags = () => hasTrustedKey() && evaluation.rulesets.hasLoaded();
  const largeBodies = createLargeBodies();
  const callers = createCallers({ trustedProxies, publicUrl, onIgnored: (peer) => log.warn({ peer }, FORWARDED_IGNORED) });
  const changeStreams = createChangeStreams({ database, watch: evaluation.rulesets.watch, ...options.changeStreams });
  const consoleApp = createConsoleApp(options, {
    ...{ authenticate, callers, canReadFlags, changeStreams },
    ...{ largeBodies, now, repeatedEvents },
  });
  const evaluationApi = {
    ...applicationApi,
    handlers: {
      ...applicationApi.handlers,
      ...createRelayHandlers({ ...evaluation, keys: createRelayedKeys(database, now) }),
    } satisfies EvaluationHandlers,
  };
  const evaluationRouter = createEvaluationRouter(evaluationApi, {
    ...evaluation,
    ...{ authenticate, log, now, strictResponses, largeBodies, tracing },
    requestLimiter: createRequestLimiter(options.requestLimits ?? {}),
    sharedCaching: createSharedCaching(options.cdnMaxAge ?? "off"),
    tokens: createPathTokens(database, now, onForeign),
    callers,
    idListFiles: (context) => ({
      files: (names) => withLists(context, (lists) => lists.files(names)),
      readFile: (name, from, to) => withLists(context, (lists) => lists.readFile(name, from, to)),
    }),
  });
  const withLists = <T>(context: PermittedContext, read: (lists: Stores["segments"]["ids"]) => Promise<T>) =>
    reading(database, (db) => read(createStores({ db, context, log: createChangeLog(db, context) }).segments.ids));
  const toTarget = readTarget(callers.basePath);
  const serveRequest: RequestListener = (request, response) => {
    request.url = toTarget(request.url ?? "/");
    evaluationRouter.serve(request, response, () => consoleApp.serve(request, response));
  };
  const serve: RequestListener = tracing
    ? (request, response) => tracing.serve(request, response, () => serveRequest(request, response))
    : serveRequest;
  const compilations = [...evaluationRouter.compilations, ...consoleApp.compilations];
  return Object.assign(serve, {
    messages: expressMessages(consoleApp.serve),
    executor: consoleApp.executor,
    provisioning: toProvisioning(options.scim),
    endStreams: changeStreams.close,
    prepareRulesets: () =>
      recentlyUsedByApplications(database, now())
        .then((keys) => warmUp(evaluation.rulesets, keys))
        .catch((err: unknown) => log.warn({ err }, "The rulesets could not be prepared. First requests do that.")),
    prepareOperations: () => runBetweenRequests(compilations, () => options.phase?.() === "stopping"),
  });
}

/** Operations that stream JSON lines. */
const lineStreams = { listAuditLogs: streamAuditLogs, listInstanceAuditLogs: streamAuditLogs };

/** Operations that stream files. */
const fileStreams = { downloadReport: streamReport, downloadUnitData: streamUnitData, downloadUsage: streamUsage };

/** `canReadFlags` says whether the server can evaluate flags without its database. */
type Common = {
  changeStreams: ChangeStreams;
  authenticate: Authenticate;
  callers: Callers;
  canReadFlags: () => boolean;
  largeBodies: LargeBodies;
  repeatedEvents: RepeatedEvents;
  now: () => number;
};

const SESSION_LIMITS: SessionLimits = { idleMs: 12 * HOUR_MS, longestMs: 14 * 24 * HOUR_MS };

/** The headers of a response that pages of other origins may read. */
const EXPOSED_HEADERS = ["ETag", "X-Request-Id", "Retry-After", "Idempotency-Replayed", "RateLimit", "RateLimit-Policy"];

const toProvisioning = (scim: ScimConfig | undefined): Provisioning | undefined =>
  scim && { groups: scim.roles?.map(([group]) => group) ?? [] };

/** Everything except the evaluation API, as an Express application. */
function createConsoleApp(
  {
    database,
    evaluation,
    schemaChecker,
    log,
    corsOrigins = [],
    consoleAddresses = [],
    writeLimit,
    strictResponses = false,
    phase = () => "serving",
    ...options
  }: AppOptions,
  { changeStreams, authenticate, callers, canReadFlags, largeBodies, repeatedEvents, now }: Common,
): { serve: Express; compilations: Compilation[]; executor: Executor } {
  const { instruments } = evaluation;
  const reportViolation: OnViolation = (error, operation) => {
    instruments.responseViolations.inc({ operation });
    log.error({ operation, violation: error.message }, "A response breaks the contract. It was sent anyway.");
  };
  const { prefix, descriptions } = consoleApi;
  const { publicUrl, sessionLimits = SESSION_LIMITS, passwordSignIn = true, provider, scim, securityContact = { contacts: [] } } = options;
  const { secretKey, previousSecretKey, requiresSecondFactor: isRequired = false } = options;
  const vault = secretKey === undefined ? undefined : createVault({ secretKey, previousSecretKey }, "authenticator apps");
  const secondFactors = { isRequired, vault, relyingParty: toRelyingParty(publicUrl) };
  const cookies = createCookies(publicUrl);
  const sessions = createSessionCheck(database, now, sessionLimits);
  const app = express();
  // Entities carry strong tags of their own; a hash of every body would cost more than it saves.
  app.disable("etag").disable("x-powered-by");
  app.use(observe(log, instruments, options.tracing, callers), securityHeaders, sendJson);
  const { basePath } = callers;
  if (basePath !== "") app.use(redirectFromBasePath(basePath));
  if (corsOrigins.length > 0) app.use(cors({ origin: corsOrigins, exposedHeaders: EXPOSED_HEADERS }));
  const noteUse = noteKeyUse(createKeyAddresses(database, repeatedEvents), { now, log });
  app.use(
    prefix,
    identifyCaller({
      ...{ authenticate, sessions, cookies, callers, descriptions },
      consoleAddresses: consoleAddresses.length > 0 ? compileAddresses(consoleAddresses) : undefined,
    }),
    noteUse,
    refuseNulInPath,
  );
  const onViolation = strictResponses ? undefined : reportViolation;
  const writeLimiter = writeLimit && createWriteLimiter(database, writeLimit);
  const { router, compilations, executor } = createRouter(consoleApi, {
    ...{ database, now, log, largeBodies, repeatedEvents, changeStreams, lineStreams, fileStreams, onViolation },
    ...{ callers, cookies, sessionLimits, passwordSignIn, provider, secondFactors },
    checkSchema: schemaChecker.check,
    previews: evaluation.previews,
    writeLimiter,
    provisioning: toProvisioning(scim),
  });
  app.use(router);
  const docs = dirname(fileURLToPath(import.meta.resolve("#docs/index.html")));
  const { version } = createRequire(import.meta.url)("#package.json") as { version: string };
  app.use(
    createMcpRouter({ api: consoleApi, router, authenticate, callers, corsOrigins, noteUse, largeBodies, instruments, log, docs, version }),
  );
  if (scim) {
    const given = { config: scim, database, callers, largeBodies, repeatedEvents, writeLimiter, onViolation, log, now };
    const ofScim = createScimRouter(scimApi, given);
    app.use(scimApi.prefix, ofScim.router);
    compilations.push(...ofScim.compilations);
  }
  app.use(operationEndpoints({ database, instruments, phase, canReadFlags }));
  app.use(openApiDocuments(documents, publicUrl), documentation(docs, basePath));
  app.use(securityText(securityContact, publicUrl, now));
  const index = fileURLToPath(import.meta.resolve("#web/index.html"));
  const html = readPage(index, basePath);
  app.use(webConsole(index, html));
  app.use(refuseUnknownPath, answerErrors(log, errorPages(html, basePath)));
  return { serve: app, compilations, executor };
}
