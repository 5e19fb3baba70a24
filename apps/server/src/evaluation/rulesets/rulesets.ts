import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { KeyScope } from "../../common/context.ts";
import { AppError, notFound } from "../../common/errors.ts";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import type { Database } from "../../store/database/database.ts";
import { noteClaimedTime, notePlace } from "../../store/database/restores.ts";
import { defaultEnvironment } from "../compile/environments.ts";
import { toRulesetScope } from "../compile/ruleset-scope.ts";
import type { EventOrigin } from "../events/event-origin.ts";
import type { Proposal } from "../previews/proposal.ts";
import { givesOther } from "./gives-other.ts";
import { applyUpdate, type LoadedProject, readUpdate } from "./loaded-project.ts";
import { readLastChanges } from "./project-store.ts";
import { createViews, type RulesetView, type Views } from "./views.ts";
import type { Evaluated } from "./what-if.ts";

/** The rulesets of projects, kept up to date with the change log. */
export type Rulesets = {
  /** A key's view, as of the last change that this replica has read. @throws AppError unavailable if it was never read and cannot be */
  view(projectID: string, scope: KeyScope): Promise<RulesetView>;
  /**
   * The view that a caller with a ruleset of `time` (ms since the epoch) gets. If this replica has an older one, it reads the database at
   * once. If the database has an older one too, it was restored from a backup. Then its ruleset becomes a later one, unless
   * the key is public.
   * @throws as `view` does
   */
  viewSince(projectID: string, scope: KeyScope, time: number): Promise<ViewSince>;
  /** The same as of the last change that was committed before the call, with the project. @throws AppError not_found, unavailable */
  current(projectID: string, scope: KeyScope): Promise<{ project: EvaluatedProject; view: RulesetView }>;
  /** The same, and the key's view with a proposal. @throws AppError not_found, unavailable */
  whatIf(projectID: string, scope: KeyScope, proposal: Proposal): Promise<WhatIf>;
  /**
   * Compares what keys with each scope would have with two proposals, over the project as this replica has it in memory. Reads nothing, so
   * that it can run in a transaction.
   */
  compare(projectID: string, scopes: readonly KeyScope[], before: Proposal, after: Proposal): boolean[];
  /** When the project in memory last changed, ms since the epoch by the database's clock; 0 if it is not in memory. */
  loadedTime(projectID: string): number;
  /** The entities that a key's events refer to. Compiles nothing. @throws as `view` does */
  origin(projectID: string, scope: KeyScope): Promise<EventOrigin>;
  /** Whether a project is in memory, so that its views need no database. */
  hasLoaded(): boolean;
  /** The number of projects in memory, and the time since they were last known to be those of the database, ms. */
  state(): { projects: number; ageMs: number };
  /** Calls the listener after each change, when views already show it. Returns a function that unsubscribes. */
  subscribe(projectID: string, listener: () => void): () => void;
  /** Calls the listener with the project of each commit, and without one when notifications may have been missed. */
  watch(listener: (projectID?: string) => void): void;
};

/** `isLatest` is false if the database did not answer, so that the caller's later ruleset may be right. */
type ViewSince = { view: RulesetView; isLatest: boolean };

/** A project with the rulesets of a key: as it is, and as it would be with a proposal. */
type WhatIf = { project: EvaluatedProject; before: Evaluated; after: Evaluated };

/** The channel of the database's notifications. The payload is the ID of a project with a committed change. */
const CHANNEL = "gatehouse_change";
/** The shortest time between two reads of a project's changes. A burst is read together, and each change shows within 50 ms. */
const READ_INTERVAL_MS = 25;

/** The interval of looks at where the database is. */
const PLACE_INTERVAL_MS = 5_000;
/** The shortest time between two claims of callers that the database is restored. */
const CLAIM_INTERVAL_MS = 1_000;
const RESTORED = "Replicas and SDKs read everything again.";

/** A project in memory. It is loaded when a view is first requested, and kept. */
type Cached = {
  loaded?: LoadedProject;
  views: Views;
  listeners: Set<() => void>;
  /** Whether there may be changes since the last read. */
  isBehind: boolean;
  /** When the last read began, by the monotonic clock, ms. */
  lastReadAt: number;
  catchingUp?: Promise<void>;
  /** When a caller last had a later ruleset than the database, by the monotonic clock, ms. */
  claimedAt: number;
};

type Options = {
  database: Database;
  log: Logger;
  now: () => number;
  /** Called when this replica serves a change, with the time since it was made, ms. */
  onApplied?: (delayMs: number) => void;
};

/**
 * Keeps the rulesets of requested projects in memory. The database notifies of every change, and the changes are read from the change log.
 * While the database is away, views are those of the last change that was read.
 */
export function createRulesets({ database, log, now, onApplied = () => {} }: Options): Rulesets & { close(): Promise<void> } {
  const cache = new Map<string, Cached>();
  let hasComparedPlace = false;
  /** When all projects in memory were last known to be up to date, by the monotonic clock, ms. */
  let confirmedAt = performance.now();
  const watchers = new Set<(projectID?: string) => void>();
  const listening = database.listen(CHANNEL, {
    onMessage: (projectID) => {
      for (const watcher of watchers) watcher(projectID);
      void catchUpQuietly(projectID);
    },
    onConnected: () => {
      void comparePlace();
      for (const watcher of watchers) watcher();
      for (const projectID of cache.keys()) void catchUpQuietly(projectID);
    },
  });
  const timers = [
    setInterval(() => void compareChangeNumbers(), database.changePollMs).unref(),
    setInterval(() => void comparePlace(), PLACE_INTERVAL_MS).unref(),
  ];

  return {
    async view(projectID, scope) {
      const cached = cachedProject(projectID);
      return cached.views.of(await load(projectID, cached), scope);
    },

    async viewSince(projectID, scope, time) {
      const cached = cachedProject(projectID);
      const view = async () => cached.views.of(await load(projectID, cached), scope);
      const known = await view();
      if (known.time >= time) return { view: known, isLatest: true };
      try {
        await catchUp(projectID, cached);
        if ((await view()).time < time && scope.type !== "CLIENT") await claim(projectID, cached, time);
        return { view: await view(), isLatest: true };
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "unavailable") throw error;
        return { view: await view(), isLatest: false };
      }
    },

    async origin(projectID, scope) {
      const { state, time } = await load(projectID, cachedProject(projectID));
      const { project } = state;
      return { project, time, defaultEnvironment: defaultEnvironment(project.environments, toRulesetScope(scope)) };
    },

    async current(projectID, scope) {
      const { loaded, views } = await upToDate(projectID);
      return { project: loaded.state.project, view: views.of(loaded, scope) };
    },

    async whatIf(projectID, scope, proposal) {
      const { loaded, views } = await upToDate(projectID);
      const before = views.of(loaded, scope);
      return { project: loaded.state.project, before, after: views.whatIf(loaded, scope, proposal) };
    },

    compare(projectID, scopes, before, after) {
      if (scopes.length === 0) return [];
      const { loaded, views } = cachedProject(projectID);
      if (!loaded) throw new Error(`Project ${projectID} is not in memory.`);
      return scopes.map((scope) => givesOther(views.compiled(loaded, scope, before), views.compiled(loaded, scope, after)));
    },

    loadedTime: (projectID) => cache.get(projectID)?.loaded?.time ?? 0,

    hasLoaded: () => [...cache.values()].some(({ loaded }) => loaded !== undefined),

    state() {
      const projects = [...cache.values()].filter(({ loaded }) => loaded !== undefined).length;
      return { projects, ageMs: projects === 0 ? 0 : performance.now() - confirmedAt };
    },

    subscribe(projectID, listener) {
      const { listeners } = cachedProject(projectID);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    watch: (listener) => void watchers.add(listener),

    async close() {
      for (const timer of timers) clearInterval(timer);
      await listening.close();
      await Promise.allSettled([...cache.values()].map(({ catchingUp }) => catchingUp));
    },
  };

  function cachedProject(projectID: string): Cached {
    let cached = cache.get(projectID);
    if (!cached) {
      cached = {
        views: createViews(now),
        listeners: new Set(),
        isBehind: true,
        lastReadAt: Number.NEGATIVE_INFINITY,
        claimedAt: Number.NEGATIVE_INFINITY,
      };
      cache.set(projectID, cached);
    }
    return cached;
  }

  async function load(projectID: string, cached: Cached): Promise<LoadedProject> {
    if (!cached.loaded) await catchUp(projectID, cached);
    if (!cached.loaded) throw notFound("Project", projectID);
    return cached.loaded;
  }

  async function upToDate(projectID: string): Promise<Cached & { loaded: LoadedProject }> {
    const cached = cachedProject(projectID);
    await catchUp(projectID, cached);
    if (!cached.loaded) throw notFound("Project", projectID);
    return { ...cached, loaded: cached.loaded };
  }

  /** A caller with a secret key has a later ruleset than the database. Callers that claim this all the time cost one statement a second. */
  async function claim(projectID: string, cached: Cached, time: number): Promise<void> {
    if (performance.now() - cached.claimedAt < CLAIM_INTERVAL_MS) return;
    cached.claimedAt = performance.now();
    if (!(await noteClaimedTime(database, projectID, time))) return;
    log.warn({ projectID }, `An SDK has a later ruleset than the database. ${RESTORED}`);
    await catchUp(projectID, cached);
  }

  /** Reads the changes at least once after the call. Concurrent calls share the next read. */
  function catchUp(projectID: string, cached: Cached): Promise<void> {
    cached.isBehind = true;
    cached.catchingUp ??= readUpdates(projectID, cached);
    return cached.catchingUp;
  }

  async function readUpdates(projectID: string, cached: Cached): Promise<void> {
    try {
      while (cached.isBehind) {
        const rest = cached.lastReadAt + READ_INTERVAL_MS - performance.now();
        if (rest > 0) await sleep(rest);
        cached.lastReadAt = performance.now();
        cached.isBehind = false;
        const update = await readUpdate(database, projectID, cached.loaded);
        if (!update || (!update.isReload && update.seq === cached.loaded?.seq)) continue;
        if (cached.loaded && !update.isReload && update.time === cached.loaded.time) {
          // Changes since then, such as sign-ins, did not move the ruleset.
          Object.assign(cached.loaded, { seq: update.seq, mark: update.mark });
          continue;
        }
        // A project that is read for the first time may have changed long ago.
        const isChange = cached.loaded !== undefined;
        const { loaded, affected } = applyUpdate(update, now(), cached.loaded);
        cached.loaded = loaded;
        if (affected) cached.views.affect(affected);
        else cached.views.reset();
        for (const listener of cached.listeners) listener();
        if (isChange) onApplied(Math.max(0, now() - update.time));
      }
    } finally {
      delete cached.catchingUp;
    }
  }

  /** @returns whether the project was read up to the time of the call */
  async function catchUpQuietly(projectID: string): Promise<boolean> {
    const cached = cache.get(projectID);
    if (!cached?.loaded) return true;
    return catchUp(projectID, cached).then(
      () => true,
      (err: unknown) => {
        log.warn({ err, projectID }, "Reading a project's changes failed. Its last ruleset stays in use. The read will be retried.");
        return false;
      },
    );
  }

  async function compareChangeNumbers(): Promise<void> {
    const startedAt = performance.now();
    const loaded = [...cache].filter(([, cached]) => cached.loaded);
    if (loaded.length === 0) return;
    const last = await readLastChanges(
      database,
      loaded.map(([projectID]) => projectID),
    ).catch(() => undefined);
    if (last === undefined) return;
    const behind: string[] = [];
    for (const [projectID, { seq, restoredTime }] of last) {
      const known = cache.get(projectID)?.loaded;
      if (known?.seq !== seq || known.restoredTime !== restoredTime) behind.push(projectID);
    }
    const caughtUp = await Promise.all(behind.map(catchUpQuietly));
    if (caughtUp.every(Boolean)) confirmedAt = startedAt;
  }

  async function comparePlace(): Promise<void> {
    // A standby, and some services that resemble Postgres, don't say where they are.
    const isStart = !hasComparedPlace;
    const isRestored = await notePlace(database, isStart).catch(() => undefined);
    if (isRestored !== undefined) hasComparedPlace = true;
    if (isRestored) log.warn(`The database was restored from a backup, or failed over. ${RESTORED}`);
  }
}
