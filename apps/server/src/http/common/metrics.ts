import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Database } from "../../store/database/database.ts";

export type Metrics = ReturnType<typeof createMetrics>;

type Load = { waiting: number; undelivered: number; droppedExposures: number; refusedEvents: number };

/**
 * @param intake has the numbers of characters that wait, and of dropped exposures
 * @param clock has the difference of the server's clock from the database's, ms
 * @param drift has the largest difference between results of loads and those of all events
 */
export function createMetrics(database: Database, intake: { load(): Load }, clock: { aheadMs(): number }, drift: { latest(): number }) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: "gatehouse_http_request_duration_seconds",
    help: "Time from a request's arrival to its answer, by operationId and status. Its count is the number of requests.",
    labelNames: ["operation", "status"] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const responseViolations = new Counter({
    name: "gatehouse_response_violations_total",
    help: "Responses that break the contract, by operationId. They were sent anyway.",
    labelNames: ["operation"] as const,
    registers: [registry],
  });
  new Gauge({
    name: "gatehouse_database_connections",
    help: "Connections to the database by state; waiting counts requests that wait for one.",
    labelNames: ["state"] as const,
    registers: [registry],
    collect() {
      for (const [state, count] of Object.entries(database.connections())) this.set({ state }, count);
    },
  });
  new Gauge({
    name: "gatehouse_clock_ahead_seconds",
    help: "How far the server's clock is ahead of the database's, negative if it is behind. Beyond 2 s, the database's clock is used.",
    registers: [registry],
    collect() {
      this.set(clock.aheadMs() / 1_000);
    },
  });
  new Gauge({
    name: "gatehouse_events_waiting_characters",
    help: "How much of events waits to be stored. Beyond 33554432, batches are answered with 503.",
    registers: [registry],
    collect() {
      this.set(intake.load().waiting);
    },
  });
  new Gauge({
    name: "gatehouse_events_undelivered_characters",
    help: "How much of events waits in the database to be sent to ClickHouse. Beyond 268435456, batches are answered with 503.",
    registers: [registry],
    collect() {
      this.set(intake.load().undelivered);
    },
  });
  new Gauge({
    name: "gatehouse_exposures_dropped",
    help: "Exposures that the server dropped since its start because its queue was full.",
    registers: [registry],
    collect() {
      this.set(intake.load().droppedExposures);
    },
  });
  new Gauge({
    name: "gatehouse_events_refused",
    help: "Events that the server refused since its start: invalid ones, and recordings of sessions.",
    registers: [registry],
    collect() {
      this.set(intake.load().refusedEvents);
    },
  });
  new Gauge({
    name: "gatehouse_result_drift",
    help: "Largest relative difference between results of loads and those of all events, as last compared. Beyond 1e-9, it is an error.",
    registers: [registry],
    collect() {
      this.set(drift.latest());
    },
  });
  return { registry, requests, responseViolations };
}
