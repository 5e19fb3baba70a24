import { setImmediate } from "node:timers/promises";
import type { Credentials } from "../../context.ts";
import { AppError, unauthorized } from "../../errors.ts";
import type { Outlet } from "../outlet.ts";
import type { Rulesets } from "../rulesets/rulesets.ts";
import type { RulesetView } from "../rulesets/views.ts";
import { isChanged, type RulesetVersion, readVersion } from "./ruleset-version.ts";
import { connectedEvent, firstEvent, HEARTBEAT, refetchEvent } from "./server-sent-events.ts";
import { createStreamPlaces, type StreamLimits } from "./stream-places.ts";

type KeyName = { projectID: string; id: string };
/** The version of each of the keys that is active: it counts up with every change of the key. */
export type FindKeyVersions = (names: KeyName[]) => Promise<(KeyName & { version: number })[]>;

/** Who listens for changes. There is one in a server. */
export type FlagStreams = {
  /**
   * Makes a place for a listener. The stream begins when the answer is called.
   * @throws AppError unavailable when the server has none left, too_many_requests when the key has none left, unauthorized when the key is
   * not active any more
   */
  open(credentials: Credentials, lastEventID: string | undefined, now: number): Promise<(outlet: Outlet) => void>;
  /** Ends every stream and opens no other, for a server that stops. Listeners connect again, to another replica. */
  close(): void;
};

export type FlagStreamsOptions = Partial<StreamLimits> & {
  rulesets: Rulesets;
  findKeyVersions: FindKeyVersions;
  /** How long a stream may be quiet, ms. */
  heartbeatMs?: number;
};

/** Those who listen with one key: they see the same view. */
type Group = KeyName & Pick<Credentials, "scope"> & { version: number; streams: Set<Stream> };
type Stream = { outlet: Outlet; known: RulesetVersion; leave(): void };
type Project = { groups: Map<string, Group>; unsubscribe(): void; isBehind: boolean; isTelling: boolean };

const MAX_STREAMS = 5_000;
const MAX_STREAMS_PER_KEY = 2_500;
const HEARTBEAT_INTERVAL_MS = 20_000;
/** How often keys are checked. With the check itself, a revoked one listens for less than a second. */
const KEY_CHECK_INTERVAL_MS = 500;
/** A reader with more unread bytes is disconnected. */
const MAX_UNREAD_BYTES = 65_536;
/** A listener without Last-Event-ID may have missed a change this old between its evaluation and its connection. */
const MISSED_CHANGE_WINDOW_MS = 60_000;
/** Listeners that are written to before other requests get their turn. */
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
  /** For streams, and for those whose keys are being looked up. */
  const places = createStreamPlaces({ limit, limitPerKey });
  let timers: NodeJS.Timeout[] = [];
  let isLooking = false;
  let isClosed = false;

  return {
    async open({ projectID, actor, scope }, lastEventID, now) {
      if (isClosed) throw new AppError("unavailable", "The server is stopping. Try again shortly.");
      const name = { projectID, id: actor.id };
      places.take(keyOf(name));
      const [view, [key]] = await Promise.all([rulesets.view(projectID, scope), findKeyVersions([name])]).finally(() => {
        places.free(keyOf(name));
      });
      if (key === undefined) throw unauthorized("The key of the stream is not active any more.");
      return (outlet) => {
        if (isClosed || outlet.closed.aborted || places.refusal(keyOf(name)) !== undefined) return outlet.end();
        const { known, text } = greeting(view, readVersion(lastEventID), now);
        const stream = join({ ...name, scope, version: key.version }, outlet, known);
        outlet.closed.addEventListener("abort", stream.leave, { once: true });
        write(stream, firstEvent(text));
        // The ruleset may have changed since the view was taken.
        void tell(projectID);
      };
    },

    close() {
      isClosed = true;
      for (const { streams } of allGroups()) endAll(streams);
    },
  };

  function join(key: Omit<Group, "streams">, outlet: Outlet, known: RulesetVersion): Stream {
    const project = projects.get(key.projectID) ?? addProject(key.projectID);
    const place = placeOf(key);
    const group = project.groups.get(place) ?? { ...key, streams: new Set() };
    const stream = { outlet, known, leave };
    project.groups.set(place, group);
    group.streams.add(stream);
    places.take(keyOf(key));
    count += 1;
    if (count === 1) startTimers();
    return stream;

    function leave() {
      if (!group.streams.delete(stream)) return;
      places.free(keyOf(key));
      count -= 1;
      if (group.streams.size === 0) project.groups.delete(place);
      if (project.groups.size === 0 && projects.delete(key.projectID)) project.unsubscribe();
      if (count === 0) stopTimers();
    }
  }

  function allGroups(): Group[] {
    return [...projects.values()].flatMap((project) => [...project.groups.values()]);
  }

  function addProject(projectID: string): Project {
    const unsubscribe = rulesets.subscribe(projectID, () => void tell(projectID));
    const project = { groups: new Map(), unsubscribe, isBehind: false, isTelling: false };
    projects.set(projectID, project);
    return project;
  }

  function startTimers(): void {
    timers = [setInterval(() => void beat(), heartbeatMs), setInterval(() => void look(), KEY_CHECK_INTERVAL_MS)];
    for (const timer of timers) timer.unref();
  }

  function stopTimers(): void {
    for (const timer of timers) clearInterval(timer);
  }

  /** Notifies a project's listeners of new changes. Changes that arrive meanwhile are sent together. */
  async function tell(projectID: string): Promise<void> {
    const project = projects.get(projectID);
    if (project === undefined) return;
    project.isBehind = true;
    if (project.isTelling) return;
    project.isTelling = true;
    try {
      while (project.isBehind) {
        project.isBehind = false;
        for (const group of [...project.groups.values()]) await tellGroup(group, await rulesets.view(projectID, group.scope));
      }
    } catch {
      // The rulesets cannot be read at the moment: the next look tries again.
      project.isBehind = true;
    } finally {
      project.isTelling = false;
    }
  }

  /** Ends the streams of keys that were changed or revoked, and sends the changes that could not be sent before. */
  async function look(): Promise<void> {
    for (const [projectID, { isBehind }] of projects) if (isBehind) void tell(projectID);
    if (isLooking) return;
    isLooking = true;
    const groups = allGroups();
    // While the database is away, nobody can revoke a key.
    const active = await findKeyVersions(groups).catch(() => groups);
    isLooking = false;
    const places = new Set(active.map(placeOf));
    for (const group of groups) if (!places.has(placeOf(group))) endAll(group.streams);
  }

  async function beat(): Promise<void> {
    for (const { streams } of allGroups()) await each(streams, (stream) => write(stream, HEARTBEAT));
  }
}

/** The same for every version of a key. */
function keyOf({ projectID, id }: KeyName): string {
  return JSON.stringify([projectID, id]);
}

function placeOf({ projectID, id, version }: KeyName & { version: number }): string {
  return JSON.stringify([projectID, id, version]);
}

/** Nothing is written to a stream that has left. */
function endAll(streams: Set<Stream>): void {
  for (const { leave, outlet } of [...streams]) {
    leave();
    outlet.end();
  }
}

/** The first event of a listener, and the version that it knows from then on. */
function greeting(view: RulesetView, last: RulesetVersion | undefined, now: number): { known: RulesetVersion; text: string } {
  const hasChanged = last === undefined ? now - view.time < MISSED_CHANGE_WINDOW_MS : isChanged(view, last);
  const seen = { time: view.time, checksum: view.checksum };
  if (hasChanged) return { known: seen, text: refetchEvent(seen) };
  // A replica that is behind has yet to tell what the listener may know already.
  const known = last ?? seen;
  return { known, text: connectedEvent(known) };
}

async function tellGroup({ streams }: Group, { time, checksum }: RulesetView): Promise<void> {
  const version = { time, checksum };
  const text = refetchEvent(version);
  await each(streams, (stream) => {
    if (!isChanged(version, stream.known)) return;
    stream.known = version;
    write(stream, text);
  });
}

async function each(streams: Set<Stream>, work: (stream: Stream) => void): Promise<void> {
  let done = 0;
  for (const stream of [...streams]) {
    if (streams.has(stream)) work(stream);
    done += 1;
    if (done % BATCH_SIZE === 0) await setImmediate();
  }
}

function write({ outlet }: Stream, text: string): void {
  if (outlet.write(text) > MAX_UNREAD_BYTES) outlet.cutOff();
}
