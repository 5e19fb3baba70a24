import { createHash } from "node:crypto";
import type { EventRow } from "./logged-event.ts";

/** A queued batch. Its rows are already serialized, so that the queue is small and its size is known. */
export type WaitingBatch = {
  projectID: string;
  source: string;
  /** Identifies a repetition of the batch. */
  key: string;
  /** Identify repetitions of its events, for events with an ID. */
  eventKeys: Set<string>;
  count: number;
  /** The rows as JSON, separated by commas. Their field `b` is `number`. */
  rows: string;
  number: number;
  /** For how much longer than others a repetition of the batch is recognized, ms. */
  keptForMs?: number;
};

let batches = 0;

/** @param content identifies the batch: batches with equal content are repetitions */
export function toWaiting(projectID: string, source: string, rows: EventRow[], content: string): WaitingBatch {
  batches = (batches + 1) % 2 ** 31;
  const eventKeys = new Set<string>();
  const texts: string[] = [];
  for (const row of rows) {
    const eventKey = row.eventID === null ? null : hash(`event ${row.eventID}`);
    // If several events have the same ID, only the first is stored.
    if (eventKey !== null && eventKeys.has(eventKey)) continue;
    if (eventKey !== null) eventKeys.add(eventKey);
    texts.push(toText(batches, eventKey, row));
  }
  return { projectID, source, key: hashBatch(content), eventKeys, count: texts.length, rows: texts.join(","), number: batches };
}

/** The other columns are JSON already. A column that is null is left out: rows are long, and the database reads every name. */
function toText(number: number, eventKey: string | null, row: EventRow): string {
  const {
    name,
    time,
    userID,
    value,
    environment,
    exposed,
    ruleID,
    gateValue,
    customIDs,
    metadata,
    userFields,
    secondaryExposures,
    checks,
  } = row;
  const texts = JSON.stringify({
    b: number,
    k: eventKey ?? undefined,
    n: name,
    t: time,
    u: userID,
    v: value,
    e: environment,
    x: exposed ?? undefined,
    r: ruleID ?? undefined,
    g: gateValue ?? undefined,
  });
  let text = `${texts.slice(0, -1)},"m":${metadata}`;
  if (customIDs !== null) text += `,"c":${customIDs}`;
  if (userFields !== null) text += `,"f":${userFields}`;
  if (secondaryExposures !== null) text += `,"y":${secondaryExposures}`;
  if (checks !== null) text += `,"h":${checks}`;
  return `${text}}`;
}

/** The key of a batch with this content. */
export function hashBatch(content: string): string {
  return hash(`batch ${content}`);
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
