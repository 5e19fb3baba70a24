import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The measurements of a server, which `/metrics` shows. */
export type Instruments = ReturnType<typeof createInstruments>;

const REQUEST_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const WAIT_BUCKETS_S = [0.0005, 0.001, 0.005, 0.025, 0.1, 0.5, 1, 2.5, 5];
const DELAY_BUCKETS_S = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30];
const JOB_BUCKETS_S = [0.01, 0.1, 1, 10, 60, 600];
const LOAD_BUCKETS_S = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600];

/**
 * Creates the instruments that the parts of a server report to. Gauges that are read when someone asks are beside `/metrics`. No label
 * has the name `job`, which Prometheus gives to what it scrapes.
 */
export function createInstruments() {
  const registry = new Registry();
  const registers = [registry];
  return {
    registry,
    requests: new Histogram({
      name: "gatehouse_http_request_duration_seconds",
      help: "Time from a request's arrival to its answer, by operationId and status. Its count is the number of requests.",
      labelNames: ["operation", "status"] as const,
      buckets: REQUEST_BUCKETS_S,
      registers,
    }),
    responseViolations: new Counter({
      name: "gatehouse_response_violations_total",
      help: "Responses that break the contract, by operationId. They were sent anyway.",
      labelNames: ["operation"] as const,
      registers,
    }),
    evaluations: new Counter({
      name: "gatehouse_evaluations_total",
      help: "Flags that this replica evaluated for users, by operationId. An answer of initializeClient counts once.",
      labelNames: ["operation"] as const,
      registers,
    }),
    rulesetDelays: new Histogram({
      name: "gatehouse_ruleset_propagation_seconds",
      help: "Time from a change of a project to the moment when this replica serves it.",
      buckets: DELAY_BUCKETS_S,
      registers,
    }),
    eventDelays: new Histogram({
      name: "gatehouse_event_store_duration_seconds",
      help: "Time from the arrival of a batch of events to the moment when it is stored.",
      buckets: DELAY_BUCKETS_S,
      registers,
    }),
    events: new Counter({ name: "gatehouse_events_total", help: "Events that this replica stored. Exposures are not counted.", registers }),
    connectionWaits: new Histogram({
      name: "gatehouse_database_connection_wait_seconds",
      help: "Time for which work waited for a connection to the database.",
      buckets: WAIT_BUCKETS_S,
      registers,
    }),
    jobRuns: new Counter({
      name: "gatehouse_job_runs_total",
      help: "Runs of background jobs that ended, by job and outcome: success or failure.",
      labelNames: ["job_name", "outcome"] as const,
      registers,
    }),
    jobDurations: new Histogram({
      name: "gatehouse_job_duration_seconds",
      help: "Duration of runs of background jobs, by job.",
      labelNames: ["job_name"] as const,
      buckets: JOB_BUCKETS_S,
      registers,
    }),
    jobSuccesses: new Gauge({
      name: "gatehouse_job_last_success_timestamp_seconds",
      help: "When a background job last succeeded on this replica, seconds since the epoch.",
      labelNames: ["job_name"] as const,
      registers,
    }),
    emails: new Counter({
      name: "gatehouse_emails_total",
      help: "Emails that this replica sent or gave up, by outcome: sent, refused, expired, or limited.",
      labelNames: ["outcome"] as const,
      registers,
    }),
    loads: new Histogram({
      name: "gatehouse_load_duration_seconds",
      help: "Duration of updates of results that this replica ran to their end, by state.",
      labelNames: ["state"] as const,
      buckets: LOAD_BUCKETS_S,
      registers,
    }),
  };
}
