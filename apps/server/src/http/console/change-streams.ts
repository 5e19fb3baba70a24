import type { Response } from "express";
import type { Credentials } from "../../common/context.ts";
import { AppError } from "../../common/errors.ts";
import { visibleTypes } from "../../console/stores.ts";
import { type FeedEnd, type FeedItem, readFeed, readFeedEnd } from "../../store/change-log/change-feed.ts";
import type { Database } from "../../store/database/database.ts";
import { reading } from "../../store/database/unit-of-work.ts";

/** The open streams of changes of a server. */
export type ChangeStreams = {
  /**
   * Checks the limits of streams and reads where the stream begins. It begins when the returned function is called.
   * @param after the last change that the caller knows
   * @param identify the caller's present credentials; rejects when the key or session has ended
   * @throws AppError too_many_requests, unavailable
   */
  open(caller: Credentials, after: number | undefined, identify: () => Promise<Credentials>): Promise<(response: Response) => void>;
  /** Ends every stream and rejects new ones, because the server stops. */
  close(): void;
};

export type ChangeStreamLimits = {
  /** The most streams at once. */
  limit: number;
  /** The most streams of one key or person at once. */
  limitPerCaller: number;
};

type Options = Partial<ChangeStreamLimits> & {
  database: Database;
  /** Interval of heartbeats, ms. */
  heartbeatMs?: number;
  /** Calls the listener after each commit, with the project; without one if any may have changed. */
  watch(listener: (projectID?: string) => void): void;
};

type Stream = {
  response: Response;
  projectID: string;
  caller: string;
  /** The number of the last change that the reader was notified of, or that it may not see. */
  seq: number;
  /** The database's last restore, as of `seq`. */
  restoredTime: number;
  types: ReadonlySet<string>;
  identify: () => Promise<Credentials>;
};

const MAX_STREAMS = 500;
const MAX_STREAMS_PER_CALLER = 20;
/** Maximum number of changes that a caller who reconnects is notified of. */
const MAX_MISSED = 1_000;
const BATCH_SIZE = 200;
const HEARTBEAT_INTERVAL_MS = 20_000;
const IDENTIFY_INTERVAL_MS = 1_000;
/** A reader with more unread bytes is not notified until it has read them, and disconnected if it has not at the next heartbeat. */
const MAX_UNREAD_BYTES = 65_536;
const RECONNECT_DELAY_MS = 2_000;

export function createChangeStreams(options: Options): ChangeStreams {
  const { database, watch, limit = MAX_STREAMS, limitPerCaller = MAX_STREAMS_PER_CALLER } = options;
  const { heartbeatMs = HEARTBEAT_INTERVAL_MS } = options;
  const streams = new Set<Stream>();
  /** Streams that are about to begin count as well. */
  const counts = new Map<string, number>();
  let total = 0;
  /** The projects whose changes are being read, and whether there may be more by now. */
  const readers = new Map<string, { isBehind: boolean }>();
  let timers: NodeJS.Timeout[] = [];
  let isClosed = false;
  watch((projectID) => {
    if (projectID === undefined) catchUpAll();
    else catchUp(projectID);
  });

  return {
    async open(credentials, after, identify) {
      const { projectID, actor } = credentials;
      const caller = JSON.stringify([projectID, actor.id]);
      take(caller);
      let end: FeedEnd;
      try {
        end = await readEnd(projectID);
      } catch (error) {
        free(caller);
        throw error;
      }
      const last = end.seq;
      const isKnown = after === undefined || (!end.isRestored && after <= last && last - after <= MAX_MISSED);
      const seq = isKnown ? (after ?? last) : last;
      return (response) => {
        const { restoredTime } = end;
        const stream = { response, projectID, caller, seq, restoredTime, identify, types: visibleTypes(credentials) };
        if (isClosed || response.destroyed) {
          free(caller);
          return void response.end();
        }
        streams.add(stream);
        if (streams.size === 1) startTimers();
        response.once("close", () => remove(stream)).on("drain", () => catchUp(projectID));
        response.write(`retry: ${RECONNECT_DELAY_MS}\n${event(isKnown ? "connected" : "reset", { seq })}`);
        catchUp(projectID);
      };
    },

    close() {
      isClosed = true;
      for (const stream of [...streams]) end(stream);
    },
  };

  function take(caller: string): void {
    const count = counts.get(caller) ?? 0;
    if (isClosed) throw new AppError("unavailable", "The server is stopping. Try again shortly.");
    if (count >= limitPerCaller) {
      throw new AppError("too_many_requests", "The caller has reached its limit of open streams. Close one or try again later.");
    }
    if (total >= limit) throw new AppError("unavailable", "The server has reached its limit of open streams. Try again later.");
    counts.set(caller, count + 1);
    total += 1;
  }

  function free(caller: string): void {
    const left = (counts.get(caller) ?? 0) - 1;
    if (left > 0) counts.set(caller, left);
    else counts.delete(caller);
    total -= 1;
  }

  function remove(stream: Stream): void {
    if (!streams.delete(stream)) return;
    free(stream.caller);
    if (streams.size > 0) return;
    for (const timer of timers) clearInterval(timer);
  }

  function end(stream: Stream): void {
    remove(stream);
    stream.response.end();
  }

  function beat(stream: Stream): void {
    if (keepsUp(stream)) return void stream.response.write(":\n\n");
    remove(stream);
    stream.response.destroy();
  }

  function startTimers(): void {
    timers = [
      setInterval(() => streams.forEach(beat), heartbeatMs),
      setInterval(() => streams.forEach((stream) => void check(stream)), IDENTIFY_INTERVAL_MS),
      // Where no notification arrives, as behind a pooler.
      setInterval(catchUpAll, database.changePollMs),
    ];
    for (const timer of timers) timer.unref();
  }

  /** Ends the stream of a caller whose key or session has ended, or who has lost the permission to read. */
  async function check(stream: Stream): Promise<void> {
    try {
      const credentials = await stream.identify();
      stream.types = visibleTypes(credentials);
      if (!credentials.permissions.has("read") || credentials.projectID !== stream.projectID) end(stream);
    } catch (error) {
      // While the database is away, keys and sessions cannot end.
      if (!(error instanceof AppError) || error.code !== "unavailable") end(stream);
    }
  }

  function catchUpAll(): void {
    for (const projectID of new Set([...streams].map((stream) => stream.projectID))) catchUp(projectID);
  }

  function catchUp(projectID: string): void {
    const reader = readers.get(projectID);
    if (reader) {
      reader.isBehind = true;
      return;
    }
    // A failed read is repeated by the timer.
    void tellAll(projectID).catch(() => {});
  }

  /** Notifies the readers of a project's streams of the changes since the last that each has. One query serves all. */
  async function tellAll(projectID: string): Promise<void> {
    const reader = { isBehind: true };
    readers.set(projectID, reader);
    try {
      while (reader.isBehind) {
        reader.isBehind = false;
        const listening = [...streams].filter((stream) => stream.projectID === projectID && keepsUp(stream));
        if (listening.length === 0) return;
        const end = await readEnd(projectID);
        for (const stream of listening) resetIfRestored(stream, end);
        const after = Math.min(...listening.map(({ seq }) => seq));
        const items = await reading(database, (db) => readFeed(db, projectID, after, BATCH_SIZE));
        for (const stream of listening) tell(stream, items);
        if (items.length === BATCH_SIZE) reader.isBehind = true;
      }
    } finally {
      readers.delete(projectID);
    }
  }

  function readEnd(projectID: string): Promise<FeedEnd> {
    return reading(database, (db) => readFeedEnd(db, projectID));
  }

  /** The numbers of a restored database went back, and are used again. */
  function resetIfRestored(stream: Stream, { seq, restoredTime }: FeedEnd): void {
    if (restoredTime === stream.restoredTime && seq >= stream.seq) return;
    Object.assign(stream, { seq, restoredTime });
    stream.response.write(event("reset", { seq }));
  }

  function tell(stream: Stream, items: FeedItem[]): void {
    for (const item of items) {
      if (!keepsUp(stream) || !streams.has(stream)) return;
      if (item.seq <= stream.seq) continue;
      stream.seq = item.seq;
      if (item.version > 0 && stream.types.has(item.entityType)) stream.response.write(event("change", item));
    }
  }
}

function keepsUp({ response }: Stream): boolean {
  return response.writableLength <= MAX_UNREAD_BYTES;
}

function event(name: string, data: { seq: number }): string {
  return `id: ${data.seq}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
