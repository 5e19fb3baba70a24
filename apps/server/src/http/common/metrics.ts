import { collectDefaultMetrics, Gauge } from "prom-client";
import type { Instruments } from "../../common/instruments.ts";
import type { EvaluationEnv } from "../../evaluation/binding.ts";
import type { Database } from "../../store/database/database.ts";

/** The parts of a server whose state its metrics show. */
export type Measured = {
  database: Database;
  evaluation: Pick<EvaluationEnv, "flagStreams"> & {
    rulesets: { state(): { projects: number; ageMs: number } };
    intake: { load(): { waiting: number; undelivered: number; undeliveredForMs: number; droppedExposures: number; refusedEvents: number } };
  };
  /** Has the difference of the server's clock from the database's, ms. */
  clock: { aheadMs(): number };
  /** Has the largest difference between results of loads and those of all events. */
  drift: { latest(): number };
  /** Returns by how long the next run of each job is late, s. */
  jobDelays(): Iterable<[job: string, seconds: number]>;
  /** Returns the queues of the database as they were last counted. */
  queues(): Iterable<[queue: string, QueueState]>;
};

/** The number of waiting items, and how long the oldest of them has waited, s. */
type QueueState = { length: number; oldestS: number };

/** Adds the metrics whose values are read when someone asks for them, and those of the process. Call it once for each server. */
export function watchMetrics({ registry, connectionWaits }: Instruments, measured: Measured): void {
  const { database, evaluation, clock, drift, jobDelays, queues } = measured;
  const { intake, flagStreams, rulesets } = evaluation;
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      ...{ name, help, registers },
      collect() {
        this.set(read());
      },
    });
  const labeled = <Label extends string>(name: string, help: string, label: Label, read: () => Iterable<[string, number]>) =>
    new Gauge({
      ...{ name, help, registers },
      labelNames: [label],
      collect() {
        this.reset();
        for (const [value, amount] of read()) this.set({ [label]: value } as Record<Label, string>, amount);
      },
    });
  collectDefaultMetrics({ register: registry });
  database.watchWaits((waitMs) => connectionWaits.observe(waitMs / 1_000));
  labeled(
    "gatehouse_database_connections",
    "Connections to the database by state; waiting counts requests that wait for one.",
    "state",
    () => Object.entries(database.connections()),
  );
  gauge(
    "gatehouse_clock_ahead_seconds",
    "How far the server's clock is ahead of the database's, negative if it is behind. Beyond 2 s, the database's clock is used.",
    () => clock.aheadMs() / 1_000,
  );
  gauge(
    "gatehouse_events_waiting_characters",
    "How much of events waits to be stored. Beyond 33554432, batches are answered with 503.",
    () => intake.load().waiting,
  );
  gauge(
    "gatehouse_events_undelivered_characters",
    "How much of events waits in the database to be sent to ClickHouse. Beyond 268435456, batches are answered with 503.",
    () => intake.load().undelivered,
  );
  gauge(
    "gatehouse_events_undelivered_seconds",
    "How long the oldest events have waited in the database to be sent to ClickHouse.",
    () => intake.load().undeliveredForMs / 1_000,
  );
  gauge(
    "gatehouse_exposures_dropped",
    "Exposures that the server dropped since its start because its queue was full.",
    () => intake.load().droppedExposures,
  );
  gauge(
    "gatehouse_events_refused",
    "Events that the server refused since its start: invalid ones, and recordings of sessions.",
    () => intake.load().refusedEvents,
  );
  gauge("gatehouse_flag_streams", "Open streams of flag changes.", () => flagStreams.count().open);
  gauge("gatehouse_flag_streams_limit", "Maximum number of open streams of flag changes.", () => flagStreams.count().limit);
  gauge("gatehouse_rulesets", "Projects whose rulesets are in memory.", () => rulesets.state().projects);
  gauge(
    "gatehouse_ruleset_age_seconds",
    "Time since this replica last knew that its rulesets are those of the database. It grows while the database is away.",
    () => rulesets.state().ageMs / 1_000,
  );
  gauge(
    "gatehouse_result_drift",
    "Largest relative difference between results of loads and those of all events, as last compared. Beyond 1e-9, it is an error.",
    () => drift.latest(),
  );
  labeled(
    "gatehouse_read_replica_reads",
    "Large reads since the start by outcome: replica, or why the database itself served them.",
    "outcome",
    () => database.replica?.outcomes() ?? [],
  );
  labeled(
    "gatehouse_job_delay_seconds",
    "How much later than planned the next run of a background job is, since the current one still runs.",
    "job_name",
    jobDelays,
  );
  labeled("gatehouse_queue_length", "Items that wait in a queue of the database, which all replicas share.", "queue", () =>
    Array.from(queues(), ([queue, { length }]) => [queue, length]),
  );
  labeled("gatehouse_queue_oldest_seconds", "How long the oldest item of a queue of the database has waited.", "queue", () =>
    Array.from(queues(), ([queue, { oldestS }]) => [queue, oldestS]),
  );
}
