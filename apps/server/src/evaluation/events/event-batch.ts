import { createHash } from "node:crypto";
import type { EventRow } from "./logged-event.ts";

/** A batch as it waits to be kept: its rows are a text already, so that what waits is small and known by its length. */
export type WaitingBatch = {
  projectID: string;
  /** By what the batch is known again when it comes a second time. */
  key: string;
  /** By what its events are known again, where their sender says so. */
  eventKeys: Set<string>;
  count: number;
  /** The rows as JSON, separated by commas. `batch` in them is `number`. */
  rows: string;
  number: number;
};

let batches = 0;

/** @param content what makes the batch that batch */
export function toWaiting(projectID: string, source: string, rows: EventRow[], content: string): WaitingBatch {
  batches = (batches + 1) % 2 ** 31;
  const eventKeys = new Set<string>();
  const texts: string[] = [];
  for (const row of rows) {
    const eventKey = row.eventID === null ? null : hash(`event ${row.eventID}`);
    // The first of those that say that they are the same event.
    if (eventKey !== null && eventKeys.has(eventKey)) continue;
    if (eventKey !== null) eventKeys.add(eventKey);
    texts.push(toText(batches, source, eventKey, row));
  }
  return { projectID, key: hash(`batch ${content}`), eventKeys, count: texts.length, rows: texts.join(","), number: batches };
}

/** Metadata and units are JSON already. */
function toText(number: number, source: string, eventKey: string | null, row: EventRow): string {
  const { name, time, userID, value, environment, exposed, ruleID, gateValue, customIDs, metadata } = row;
  const texts = JSON.stringify({
    b: number,
    s: source,
    k: eventKey,
    n: name,
    t: time,
    u: userID,
    v: value,
    e: environment,
    x: exposed,
    r: ruleID,
    g: gateValue,
  });
  return `${texts.slice(0, -1)},"c":${customIDs},"m":${metadata}}`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
