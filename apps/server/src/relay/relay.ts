import { IncomingMessage, type RequestListener, ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { AppError } from "../common/errors.ts";
import { createInstruments } from "../common/instruments.ts";
import { applicationApi } from "../evaluation/application-api.ts";
import { createFlagStreams } from "../evaluation/ofrep/flag-streams.ts";
import type { StreamLimits } from "../evaluation/ofrep/stream-slots.ts";
import { createSdkReports } from "../evaluation/sdk-reports/sdk-reports.ts";
import { createCallers } from "../http/common/callers.ts";
import { createLargeBodies } from "../http/common/large-bodies.ts";
import { readTarget } from "../http/common/request-target.ts";
import { createEvaluationRouter } from "../http/evaluation/evaluation-router.ts";
import { createRequestLimiter, type RequestLimits } from "../http/evaluation/request-limiter.ts";
import { createSharedCaching } from "../http/evaluation/shared-caching.ts";
import { FORWARDED_IGNORED } from "../startup/proxies.ts";
import { hashSecret } from "../tokens/secret.ts";
import { listenForChanges } from "./change-listener.ts";
import { openJournal } from "./event-journal.ts";
import { createEventQueue } from "./event-queue.ts";
import { createIDLists } from "./id-lists.ts";
import { relayEndpoints } from "./relay-endpoints.ts";
import { openRelayFolder } from "./relay-folder.ts";
import { createRelayIntake } from "./relay-intake.ts";
import { createRelayKeys } from "./relay-keys.ts";
import { createRelayRulesets } from "./relay-rulesets.ts";
import { restoreParts, toParts } from "./relay-state.ts";
import { createUpstream, ForbiddenRequest, RejectedRequest } from "./upstream.ts";

export type RelayOptions = {
  /** The URL of the origin server, without a slash at its end. */
  origin: string;
  /** The relay's own key: a secret key of the project for servers. */
  key: string;
  /** The version of the relay's program. */
  version: string;
  log: Logger;
  /** A folder for the relay's state and its queue of events. Without one, both are in memory. */
  folder?: string | undefined;
  /** The most characters of events that wait. */
  maxQueuedCharacters: number;
  streams: StreamLimits;
  requestLimits?: RequestLimits;
  /** How long shared caches such as CDNs may serve rulesets whose URL contains the key, seconds. */
  cdnMaxAge?: number | "off";
  trustedProxies?: string[];
  publicUrl?: string | undefined;
  now?: () => number;
  /** Fail a request whose response violates the contract. */
  strictResponses?: boolean;
};

export type Relay = {
  serve: RequestListener & { messages: { IncomingMessage: typeof IncomingMessage; ServerResponse: typeof ServerResponse } };
  /** Makes `/readyz` return 503 while the relay keeps serving. */
  refuseReadiness(): void;
  /** Is no longer ready, and ends the streams. */
  stop(): void;
  /** Forwards or stores what waits. Call it after the last request. */
  close(): Promise<void>;
};

/** The time to forward the remaining events when the relay stops. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Operations for relays are for the origin alone. */
const descriptions = Object.fromEntries(Object.entries(applicationApi.descriptions).filter(([id]) => id in applicationApi.handlers));

/** A relay between applications and a server. It serves the evaluation API from memory. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { origin, key, version, log, now = Date.now, folder: path, strictResponses = false } = options;
  const instruments = createInstruments();
  const upstream = createUpstream({ origin, key, version, onChange: (isReachable, err) => noteReach(log, isReachable, err) });
  const lists = createIDLists(upstream);
  const rulesets = createRelayRulesets({ upstream, lists, now, log, onReceived: () => folder?.note() });
  const keys = createRelayKeys({
    ...{ upstream, now, secret: key, onTime: rulesets.noteTime, onKnown: () => folder?.note() },
    onForeign: ({ id }, address) => log.warn({ keyID: id, address }, "A key was used from an address that it does not allow."),
  });
  const held = { keys, rulesets, lists };
  const owner = hashSecret(`${version} ${origin} ${hashSecret(key)}`);
  const journal = path === undefined ? undefined : await openJournal(join(path, "events.jsonl"));
  const folder = path === undefined ? undefined : await openRelayFolder({ path, owner, current: (isLast) => toParts(held, isLast), log });
  if (folder)
    restoreParts(held, await folder.read(), (file, err) =>
      log.warn({ err, file }, "A file in GATEHOUSE_RELAY_DATA has no state that the relay can use. It asks its origin."),
    );
  const send = async (body: string) => {
    await upstream.post("/v1/relay/events", body).catch(async (error: AppError) => {
      if (error.cause instanceof RejectedRequest) throw error.cause;
      if (!(error.cause instanceof ForbiddenRequest)) throw error;
      // If the relay may still use its key, the origin forbids these events, for example because the key no longer covers their environments.
      await keys.check();
      throw new RejectedRequest(error.cause.message);
    });
  };
  const queue = createEventQueue({
    send: (texts) => send(`{"batches":[${texts.join()}],"requests":[]}`),
    async findProject() {
      if (!keys.own()) await keys.check();
      return (keys.own() as { projectID: string }).projectID;
    },
    journal,
    maxCharacters: options.maxQueuedCharacters,
    log,
  });
  const intake = createRelayIntake(queue, now);
  const sdkReports = createSdkReports({
    ...{ now, log },
    store: (counts) => send(JSON.stringify({ batches: [], requests: counts.map(({ projectID: _, day: __, ...count }) => count) })),
  });
  const flagStreams = createFlagStreams({ rulesets, findKeyVersions: keys.findKeyVersions, ...options.streams });
  const listener = listenForChanges({ upstream, keys, secret: key, log, onChange: () => void rulesets.refresh() });
  let isStopping = false;

  const callers = createCallers({
    trustedProxies: options.trustedProxies ?? [],
    publicUrl: options.publicUrl,
    onIgnored: (peer) => log.warn({ peer }, FORWARDED_IGNORED),
  });
  const router = createEvaluationRouter(
    { ...applicationApi, descriptions },
    {
      ...{ log, now, instruments, strictResponses, rulesets, intake, flagStreams, sdkReports },
      authenticate: keys.authenticate,
      tokens: keys.tokens,
      callers,
      largeBodies: createLargeBodies(),
      requestLimiter: createRequestLimiter(options.requestLimits ?? {}),
      sharedCaching: createSharedCaching(options.cdnMaxAge ?? "off"),
      idListFiles: () => lists,
    },
  );
  const endpoints = relayEndpoints({
    ...{ instruments, upstream, rulesets, queue, intake, flagStreams, listener },
    isStopping: () => isStopping,
    hasState: () => keys.own() !== undefined,
  });
  const toTarget = readTarget(callers.basePath);
  const serve: RequestListener = (request, response) => {
    request.url = toTarget(request.url ?? "/");
    router.serve(request, response, () => void endpoints(request, response));
  };
  return {
    serve: Object.assign(serve, { messages: { IncomingMessage, ServerResponse } }),
    refuseReadiness() {
      isStopping = true;
    },
    stop() {
      isStopping = true;
      flagStreams.close();
      listener.close();
    },
    async close() {
      await intake.close();
      await Promise.all([
        queue.close(CLOSE_TIMEOUT_MS),
        Promise.race([sdkReports.flush(), sleep(CLOSE_TIMEOUT_MS, undefined, { ref: false })]),
      ]);
      await folder?.close();
    },
  };
}

function noteReach(log: Logger, isReachable: boolean, err: unknown): void {
  if (isReachable) log.info("The origin is reachable.");
  else log.warn({ err }, "The origin cannot be reached. The relay goes on with what it has.");
}
