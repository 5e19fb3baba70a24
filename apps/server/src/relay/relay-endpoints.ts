import type { IncomingMessage, ServerResponse } from "node:http";
import { collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { AppError, STATUS } from "../common/errors.ts";
import type { Instruments } from "../common/instruments.ts";
import { redactKeys } from "../common/redact-keys.ts";
import type { FlagStreams } from "../evaluation/ofrep/flag-streams.ts";
import { errorBody } from "../http/common/error-body.ts";
import type { ChangeListener } from "./change-listener.ts";
import type { EventQueue } from "./event-queue.ts";
import type { RelayIntake } from "./relay-intake.ts";
import type { RelayRulesets } from "./relay-rulesets.ts";
import type { Upstream } from "./upstream.ts";

type Options = {
  instruments: Pick<Instruments, "requests" | "evaluations">;
  upstream: Pick<Upstream, "isReachable" | "refusal">;
  rulesets: Pick<RelayRulesets, "state">;
  queue: Pick<EventQueue, "state">;
  intake: Pick<RelayIntake, "load">;
  flagStreams: Pick<FlagStreams, "count">;
  listener: Pick<ChangeListener, "isConnected">;
  isStopping: () => boolean;
  /** Whether the relay has reached its origin, or has its state on disk. */
  hasState: () => boolean;
};

/** The endpoints for orchestrators and monitoring. Other paths do not exist. */
export function relayEndpoints(options: Options): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const registry = createRegistry(options);
  return async (request, response) => {
    const path = (request.url ?? "").split("?", 1)[0] ?? "";
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (isRead && path === "/livez") return sendText(response, 200, "ok\n");
    if (isRead && path === "/readyz") {
      const { isReady, lines } = readiness(options);
      return sendText(response, isReady ? 200 : 503, `${lines.join("\n")}\n`);
    }
    if (isRead && path === "/metrics") return sendText(response, 200, await registry.metrics(), registry.contentType);
    const error = new AppError(
      "not_found",
      `The path ${redactKeys(path)} does not exist on a relay. The console and its API are on the origin.`,
    );
    response.writeHead(STATUS[error.code], { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(errorBody(error)));
  };
}

function readiness({ upstream, isStopping, hasState }: Options): { isReady: boolean; lines: string[] } {
  if (isStopping()) return { isReady: false, lines: ["shutting down"] };
  const refusal = upstream.refusal();
  const isReady = hasState() && refusal === undefined;
  const origin = refusal !== undefined ? "refuses the relay's key" : upstream.isReachable() ? "connected" : "away";
  return { isReady, lines: [isReady ? "ready" : "not ready", `origin: ${origin}`] };
}

function sendText(response: ServerResponse, status: number, text: string, type = "text/plain; charset=utf-8"): void {
  response.writeHead(status, { "Content-Type": type, "X-Content-Type-Options": "nosniff" }).end(text);
}

function createRegistry({ instruments, upstream, rulesets, queue, intake, flagStreams, listener }: Options): Registry {
  const registry = new Registry();
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      collect() {
        this.set(read());
      },
    });
  collectDefaultMetrics({ register: registry });
  registry.registerMetric(instruments.requests);
  registry.registerMetric(instruments.evaluations);
  gauge("gatehouse_flag_streams", "Open streams of flag changes.", () => flagStreams.count().open);
  gauge("gatehouse_flag_streams_limit", "Maximum number of open streams of flag changes.", () => flagStreams.count().limit);
  gauge("gatehouse_relay_origin_reachable", "1 if the origin answered the relay's last request.", () => Number(upstream.isReachable()));
  gauge("gatehouse_relay_origin_refused", "1 if the origin refuses the relay's key.", () => Number(upstream.refusal() !== undefined));
  gauge("gatehouse_relay_stream_connected", "1 while the origin's stream of changes is open.", () => Number(listener.isConnected()));
  gauge("gatehouse_relay_rulesets", "Rulesets in memory, one for each reach of keys.", () => rulesets.state().rulesets);
  gauge(
    "gatehouse_relay_ruleset_age_seconds",
    "Time since the origin last confirmed the oldest ruleset, or since the start. It grows while the origin is away.",
    () => rulesets.state().ageMs / 1_000,
  );
  gauge("gatehouse_relay_events_waiting", "Events that wait to be forwarded.", () => queue.state().events);
  gauge("gatehouse_relay_events_waiting_characters", "Size of the events that wait to be forwarded.", () => queue.state().characters);
  gauge(
    "gatehouse_relay_events_rejected",
    "Accepted events that the origin refused since the start. They are lost.",
    () => queue.state().refused,
  );
  gauge("gatehouse_events_refused", "Events that the relay refused since its start.", () => intake.load().refusedEvents);
  gauge(
    "gatehouse_exposures_dropped",
    "Exposures that the relay dropped since its start because its queue was full.",
    () => intake.load().droppedExposures,
  );
  return registry;
}
