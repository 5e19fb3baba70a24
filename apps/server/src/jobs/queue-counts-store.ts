import type { Db } from "../store/database/unit-of-work.ts";

/** The number of waiting items of a queue, and how long the oldest of them has waited, s. */
export type QueueCount = { length: number; oldestS: number };

const QUEUES = ["emails", "loads", "ingestion_runs", "prompt_evaluations", "scheduled_changes", "webhook_deliveries"];
/** Longer queues count as this long. */
const MAX_COUNTED = 100_000;

/**
 * Counts the items of each queue that could be worked on now: none has them, and their time has come. Emails count until the SMTP server has answered
 * about them, so that a server that is away shows.
 */
export async function readQueues(db: Db, now: number): Promise<Map<string, QueueCount>> {
  const rows = await db.$queryRaw<{ queue: string; length: number; since: number | null }[]>`
    select queue, count(since)::int as length, min(since)::float8 as since from (
      select * from (
        select 'emails' as queue, "createdTime" as since from email where attempts = 0 limit ${MAX_COUNTED}
      ) as emails
      union all select * from (
        select 'loads', "createdTime" from pulse_load where "finishedTime" is null and "leasedUntil" < ${now} limit ${MAX_COUNTED}
      ) as loads
      union all select * from (
        select 'ingestion_runs', "createdTime" from ingestion_run where "finishedTime" is null and "leasedUntil" < ${now} limit ${MAX_COUNTED}
      ) as runs
      union all select * from (
        select 'prompt_evaluations', "createdTime" from prompt_evaluation where "finishedTime" is null and "leasedUntil" < ${now} limit ${MAX_COUNTED}
      ) as evaluations
      union all select * from (
        select 'scheduled_changes', "dueTime" from scheduled_change where "dueTime" <= ${now} limit ${MAX_COUNTED}
      ) as changes
      union all select * from (
        select 'webhook_deliveries', "dueTime" from webhook_delivery where "dueTime" <= ${now} limit ${MAX_COUNTED}
      ) as deliveries
      union all select queue, null from unnest(${QUEUES}::text[]) as queue
    ) as item group by queue`;
  return new Map(
    rows.map(({ queue, length, since }) => [queue, { length, oldestS: since === null ? 0 : Math.max(0, now - since) / 1_000 }]),
  );
}
