import { randomUUID } from "node:crypto";
import type { Schema } from "@gatehouse/contract/evaluation";
import { hashBatch } from "../evaluation/events/event-batch.ts";
import { type EventIntake, identifyBatch, readBatch } from "../evaluation/events/event-intake.ts";
import { type Exposure, toEvent } from "../evaluation/events/exposure.ts";
import { createExposureBuffer, type ExposureFormat } from "../evaluation/events/exposure-buffer.ts";
import { readEvent } from "../evaluation/events/logged-event.ts";
import type { EventQueue, QueuedBatch } from "./event-queue.ts";
import type { Reach, RelayedOrigin } from "./received-ruleset.ts";

export type RelayIntake = Pick<EventIntake, "log" | "expose"> & {
  /** The exposures dropped, and the events refused, so far. */
  load(): { droppedExposures: number; refusedEvents: number };
  close(): Promise<void>;
};

type Batch = Omit<Schema<"RelayEventBatch">, "environments" | "targetApps"> & Reach;

/** Checks events as a server does, and queues the valid ones. Exposures are joined before. */
export function createRelayIntake(queue: Pick<EventQueue, "add">, now: () => number): RelayIntake {
  const exposures = createExposureBuffer((batch: QueuedExposures) => queue.add(batch), { now, ...queuedExposures(now) });
  let refusedEvents = 0;

  return {
    async log(projectID, batch, origin) {
      const time = now();
      const { rows, refused, recordings } = readBatch(batch, { ...origin, now: time, keepsUserFields: true });
      refusedEvents += refused.length;
      if (rows.length === 0) return { refused, recordings };
      const places = new Set(refused.map(({ index }) => index));
      const events = batch.events.filter((_, index) => !places.has(index));
      const { statsigMetadata } = batch;
      const { environments, targetApps } = (origin as RelayedOrigin).reach;
      const key = hashBatch(identifyBatch(batch));
      const queued = { key, environments, targetApps, receivedTime: time, ...(statsigMetadata && { statsigMetadata }), events };
      await queue.add(toQueued(projectID, queued));
      return { refused, recordings };
    },

    // Units of another reach may be in another environment.
    expose: (projectID, exposure) => exposures.expose(JSON.stringify({ projectID, ...(exposure.origin as RelayedOrigin).reach }), exposure),

    load: () => ({ droppedExposures: exposures.dropped(), refusedEvents }),
    close: exposures.close,
  };
}

function toQueued(projectID: string, batch: Batch): QueuedBatch {
  return { key: batch.key, projectID, count: batch.events.length, text: JSON.stringify(batch) };
}

type QueuedExposures = QueuedBatch & { rows: string };

/** Exposures as the events that SDKs would log. */
function queuedExposures(now: () => number): ExposureFormat<object, QueuedExposures> {
  return {
    toRow(exposure: Exposure, time) {
      const event = toEvent(exposure, time);
      return "reason" in readEvent(event, { ...exposure.origin, now: time, keepsUserFields: true }) ? undefined : event;
    },
    measure: (event) => JSON.stringify(event).length,
    toBatch(group, source, events) {
      const { projectID, environments, targetApps }: Reach & { projectID: string } = JSON.parse(group);
      const key = hashBatch(randomUUID());
      const batch = toQueued(projectID, {
        key,
        environments,
        targetApps,
        receivedTime: now(),
        statsigMetadata: { sdkType: source },
        events,
      });
      return { ...batch, rows: batch.text };
    },
  };
}
