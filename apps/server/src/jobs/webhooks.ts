import { setTimeout as sleep } from "node:timers/promises";
import { systemContext } from "../common/system-context.ts";
import { readEvents, readSubjectNames } from "../console/webhooks/delivery-store.ts";
import * as queue from "../console/webhooks/queue-store.ts";
import { disabledFor, RETRIED_MS } from "../console/webhooks/webhook.ts";
import { toBody } from "../console/webhooks/webhook-event.ts";
import { type Db, reading, repeating, writing } from "../store/database/unit-of-work.ts";
import type { Job, JobEnv } from "./jobs.ts";
import { writeAs } from "./write-as.ts";

const LOOK_MS = 1_000;
/** The most webhooks that one server sends to at once. Each can have up to ten requests in flight. */
const MAX_SENDING = 50;
const KEPT_MS = 30 * 24 * 60 * 60 * 1_000;
const FAILED_FOR_A_DAY = "The URL accepted no event for 24 hours.";

/**
 * Sends the events of the change log to webhooks. A run lasts as long as it finds something to send. While it waits for a slow receiver, it
 * goes on with the others.
 */
export const webhooks: Job = {
  name: "webhooks",
  intervalMs: LOOK_MS,
  async run(env) {
    const { database, now, stopping } = env;
    if (!database.db.webhooks) return;
    const sending = new Map<string, Promise<void>>();
    /** Those that wait for their turn, in the order in which they were found. */
    const waiting = new Map<string, queue.Target>();
    const startSome = () => {
      for (const [key, target] of waiting) {
        if (sending.size >= MAX_SENDING || stopping?.aborted) return;
        waiting.delete(key);
        const sent = sendAll(env, target, () => waiting.size > 0);
        const ended = sent.finally(() => sending.delete(key)).then(startSome);
        sending.set(key, ended);
      }
    };
    do {
      const found = stopping?.aborted ? [] : await reading(database, (db: Db) => queue.listBusy({ db }, now()));
      for (const target of found) {
        const key = JSON.stringify([target.projectID, target.webhookID]);
        if (!sending.has(key)) waiting.set(key, target);
      }
      startSome();
      if (sending.size > 0) await Promise.race([Promise.all(sending.values()), wait(stopping)]);
    } while (sending.size > 0);
  },
};

/** Deletes what is known of deliveries 30 days after they ended. */
export const deleteOldDeliveries: Job = {
  name: "deleteOldDeliveries",
  intervalMs: 60 * 60 * 1_000,
  run: ({ database, now }) => repeating(database, (db: Db) => queue.deleteEnded({ db }, now() - KEPT_MS)),
};

/** Waits until it is time to look for other webhooks. Once the server stops, only the requests on their way matter. */
const wait = (stopping: AbortSignal | undefined) =>
  sleep(LOOK_MS, undefined, { ref: false, ...(stopping && !stopping.aborted && { signal: stopping }) }).catch(() => {});

/**
 * Sends events to a webhook until none are left, or at most ten if other webhooks are waiting. A failure is logged and does not delay other
 * webhooks.
 */
async function sendAll(env: JobEnv, target: queue.Target, doOthersWait: () => boolean): Promise<void> {
  const { database, log, now, stopping } = env;
  try {
    let hasSent = true;
    for (let isFirst = true; hasSent && !stopping?.aborted && (isFirst || !doOthersWait()); isFirst = false) {
      await writing(database, (db: Db) => queue.queueEvents({ db }, target, now()));
      hasSent = await sendSome(env, target);
    }
  } catch (err) {
    log.warn({ err, ...target }, "Events could not be sent to a webhook. They will be again.");
  }
}

/** @returns whether there was an event to send */
async function sendSome(env: JobEnv, target: queue.Target): Promise<boolean> {
  const { database, now } = env;
  const { projectID, webhookID } = target;
  const claimed = await repeating(database, (db: Db) => queue.claimDue({ db }, target, now()));
  if (claimed.length === 0) return false;
  const webhook = await reading(database, (db: Db) => queue.findTarget({ db }, target));
  if (!webhook) return false;
  const seqs = claimed.map(({ seq }) => seq);
  const events = await reading(database, (db: Db) => readEvents({ db, projectID }, seqs));
  const names = webhook.format === "standard" ? new Map() : await reading(database, (db: Db) => readSubjectNames({ db }, events));
  const bodies = new Map(
    events.map((event) => [event.data.seq, toBody(webhook.format, event, { names, publicUrl: database.db.webhooks?.publicUrl })]),
  );
  const outcomes = await Promise.all(
    claimed.map(async (one) => {
      const body = bodies.get(one.seq);
      const to = { url: webhook.url, secretName: webhookID };
      const outcome =
        body === undefined ? undefined : await database.db.webhooks?.deliver(projectID, to, { id: one.id, time: now(), body });
      return repeating(database, (db: Db) => queue.noteOutcome({ db }, target, one, outcome, now()));
    }),
  );
  if (outcomes.includes(true)) await disableUseless(env, target);
  return true;
}

/** Disables a webhook that got no event for as long as one is tried. */
async function disableUseless({ database, now }: JobEnv, target: queue.Target): Promise<void> {
  if (await reading(database, (db: Db) => queue.hasDelivered({ db }, target, now() - RETRIED_MS))) return;
  const context = systemContext("disableFailingWebhook", now(), target.projectID);
  await writeAs(database, context, async (stores) => {
    const webhook = await stores.webhooks.find(target.webhookID, { lock: true });
    if (webhook?.isEnabled)
      await stores.webhooks.replace(webhook, disabledFor(FAILED_FOR_A_DAY, webhook, context), { reason: FAILED_FOR_A_DAY });
  });
}
