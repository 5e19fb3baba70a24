import { setImmediate } from "node:timers/promises";
import type { Credentials } from "../../common/context.ts";
import { AppError, unauthorized } from "../../common/errors.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import type { RulesetView } from "../rulesets/views.ts";
import type { StreamWriter } from "../stream-writer.ts";
import { isChanged, type RulesetVersion, readVersion } from "./ruleset-version.ts";
import { connectedEvent, firstEvent, HEARTBEAT, refetchEvent } from "./server-sent-events.ts";
import { createStreamSlots, type StreamLimits } from "./stream-slots.ts";

type KeyName = { projectID: string; id: string };
/** Finds the versions of the active ones among these keys. Every change of a key increments its version. */
export type FindKeyVersions = (names: KeyName[]) => Promise<(KeyName & { version: number })[]>;

/** The open streams of a server, which notify listeners of changes of their flags. */
export type FlagStreams = {
  /**
   * Checks the key and the limits of streams. The stream begins when the returned function is called.
   * @throws AppError unavailable at the server's limit, too_many_requests at the key's, unauthorized for an inactive key
   */
  open(credentials: Credentials, lastEventID: string | undefined, now: number): Promise<(writer: StreamWriter) => void>;
  /** The number of open streams, and their limit. */
  count(): { open: number; limit: number };
  /** Ends every stream and rejects new ones, because the server stops. Listeners reconnect to another replica. */
  close(): void;
};

export type FlagStreamsOptions = Partial<StreamLimits> & {
  rulesets: Pick<Rulesets, "view" | "subscribe">;
  findKeyVersions: FindKeyVersions;
  /** Interval of heartbeats, ms. */
  heartbeatMs?: number;
};

/** The streams of one key. They have the same view. */
type Group = KeyName & Pick<Credentials, "scope"> & { version: number; streams: Set<Stream> };
type Stream = { writer: StreamWriter; known: RulesetVersion; remove(): void };
type Project = { groups: Map<string, Group>; unsubscribe(): void; isBehind: boolean; isNotifying: boolean };

const MAX_STREAMS = 5_000;
const MAX_STREAMS_PER_KEY = 2_500;
const HEARTBEAT_INTERVAL_MS = 20_000;
/** Interval of key checks. It keeps the streams of a revoked key open for less than a second. */
const KEY_CHECK_INTERVAL_MS = 500;
/** A reader with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 65_536;
/** A listener without Last-Event-ID may have missed a change this old between its evaluation and its connection. */
const MISSED_CHANGE_WINDOW_MS = 60_000;
/** After writing to this many listeners, other requests get a turn. */
const BATCH_SIZE = 250;

export function createFlagStreams(options: FlagStreamsOptions): FlagStreams {
  const {
    rulesets,
    findKeyVersions,
    limit = MAX_STREAMS,
    limitPerKey = MAX_STREAMS_PER_KEY,
    heartbeatMs = HEARTBEAT_INTERVAL_MS,
  } = options;
  const projects = new Map<string, Project>();
  let count = 0;
  /** Used by open streams, and by requests whose key is being looked up. */
  const slots = createStreamSlots({ limit, limitPerKey });
  let timers: NodeJS.Timeout[] = [];
  let isCheckingKeys = false;
  let isClosed = false;

  return {
    async open({ projectID, actor, scope }, lastEventID, now) {
      if (isClosed) throw new AppError("unavailable", "The server is stopping. Try again shortly.");
      const name = { projectID, id: actor.id };
      slots.take(toKey(name));
      const [view, [key]] = await Promise.all([rulesets.view(projectID, scope), findKeyVersions([name])]).finally(() => {
        slots.free(toKey(name));
      });
      if (key === undefined) throw unauthorized("The key of the stream is not active any more.");
      return (writer) => {
        if (isClosed || writer.closed.aborted || slots.refusal(toKey(name)) !== undefined) return writer.end();
        const { known, text } = openingEvent(view, readVersion(lastEventID), now);
        const stream = addStream({ ...name, scope, version: key.version }, writer, known);
        writer.closed.addEventListener("abort", stream.remove, { once: true });
        write(stream, firstEvent(text));
        // The ruleset may have changed since the view was taken.
        void notifyProject(projectID);
      };
    },

    count: () => ({ open: count, limit }),

    close() {
      isClosed = true;
      for (const { streams } of allGroups()) endAll(streams);
    },
  };

  function addStream(key: Omit<Group, "streams">, writer: StreamWriter, known: RulesetVersion): Stream {
    const project = projects.get(key.projectID) ?? addProject(key.projectID);
    const groupKey = toGroupKey(key);
    const group = project.groups.get(groupKey) ?? { ...key, streams: new Set() };
    const stream = { writer, known, remove };
    project.groups.set(groupKey, group);
    group.streams.add(stream);
    slots.take(toKey(key));
    count += 1;
    if (count === 1) startTimers();
    return stream;

    function remove() {
      if (!group.streams.delete(stream)) return;
      slots.free(toKey(key));
      count -= 1;
      if (group.streams.size === 0) project.groups.delete(groupKey);
      if (project.groups.size === 0 && projects.delete(key.projectID)) project.unsubscribe();
      if (count === 0) stopTimers();
    }
  }

  function allGroups(): Group[] {
    return [...projects.values()].flatMap((project) => [...project.groups.values()]);
  }

  function addProject(projectID: string): Project {
    const unsubscribe = rulesets.subscribe(projectID, () => void notifyProject(projectID));
    const project = { groups: new Map(), unsubscribe, isBehind: false, isNotifying: false };
    projects.set(projectID, project);
    return project;
  }

  function startTimers(): void {
    timers = [setInterval(() => void sendHeartbeats(), heartbeatMs), setInterval(() => void checkKeys(), KEY_CHECK_INTERVAL_MS)];
    for (const timer of timers) timer.unref();
  }

  function stopTimers(): void {
    for (const timer of timers) clearInterval(timer);
  }

  /** Notifies a project's listeners of new changes. Changes that arrive during that are sent together. */
  async function notifyProject(projectID: string): Promise<void> {
    const project = projects.get(projectID);
    if (project === undefined) return;
    project.isBehind = true;
    if (project.isNotifying) return;
    project.isNotifying = true;
    try {
      while (project.isBehind) {
        project.isBehind = false;
        for (const group of [...project.groups.values()]) await notifyGroup(group, await rulesets.view(projectID, group.scope));
      }
    } catch {
      // The rulesets cannot be read at the moment. The next key check tries again.
      project.isBehind = true;
    } finally {
      project.isNotifying = false;
    }
  }

  /** Ends the streams of keys that were changed or revoked, and retries failed notifications. */
  async function checkKeys(): Promise<void> {
    for (const [projectID, { isBehind }] of projects) if (isBehind) void notifyProject(projectID);
    if (isCheckingKeys) return;
    isCheckingKeys = true;
    const groups = allGroups();
    // While the database is away, no key can be revoked.
    const active = await findKeyVersions(groups).catch(() => groups);
    isCheckingKeys = false;
    const activeGroups = new Set(active.map(toGroupKey));
    for (const group of groups) if (!activeGroups.has(toGroupKey(group))) endAll(group.streams);
  }

  async function sendHeartbeats(): Promise<void> {
    for (const { streams } of allGroups()) await forEachInTurns(streams, (stream) => write(stream, HEARTBEAT));
  }
}

/** Identifies a key in all its versions. */
function toKey({ projectID, id }: KeyName): string {
  return JSON.stringify([projectID, id]);
}

function toGroupKey({ projectID, id, version }: KeyName & { version: number }): string {
  return JSON.stringify([projectID, id, version]);
}

/** Removes the streams before it ends them, since an ended stream must not be written to. */
function endAll(streams: Set<Stream>): void {
  for (const { remove, writer } of [...streams]) {
    remove();
    writer.end();
  }
}

/** The first event of a listener, and the version that it knows afterwards. */
function openingEvent(view: RulesetView, last: RulesetVersion | undefined, now: number): { known: RulesetVersion; text: string } {
  const isOutdated = last === undefined ? now - view.changedAt < MISSED_CHANGE_WINDOW_MS : isChanged(view, last);
  const seen = { time: view.time, checksum: view.checksum };
  if (isOutdated) return { known: seen, text: refetchEvent(seen) };
  // If this replica is behind, the listener may know a later version, so it keeps that.
  const known = last ?? seen;
  return { known, text: connectedEvent(known) };
}

async function notifyGroup({ streams }: Group, { time, checksum }: RulesetView): Promise<void> {
  const version = { time, checksum };
  const text = refetchEvent(version);
  await forEachInTurns(streams, (stream) => {
    if (!isChanged(version, stream.known)) return;
    stream.known = version;
    write(stream, text);
  });
}

async function forEachInTurns(streams: Set<Stream>, work: (stream: Stream) => void): Promise<void> {
  let done = 0;
  for (const stream of [...streams]) {
    if (streams.has(stream)) work(stream);
    done += 1;
    if (done % BATCH_SIZE === 0) await setImmediate();
  }
}

function write({ writer }: Stream, text: string): void {
  if (writer.write(text) > MAX_UNREAD_BYTES) writer.destroy();
}
