import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { KeyScope } from "../../common/context.ts";
import { notFound } from "../../common/errors.ts";
import type { EvaluatedProject } from "../../console/evaluated-project.ts";
import type { Database } from "../../store/database/database.ts";
import { defaultEnvironment } from "../compile/environments.ts";
import { toRulesetScope } from "../compile/ruleset-scope.ts";
import type { EventOrigin } from "../events/event-origin.ts";
import type { Proposal } from "../previews/proposal.ts";
import { applyUpdate, type LoadedProject, readUpdate } from "./loaded-project.ts";
import { readLastChanges } from "./project-store.ts";
import { createViews, type RulesetView, type Views } from "./views.ts";
import type { Evaluated } from "./what-if.ts";

/** The rulesets of projects, kept up to date with the change log. */
export type Rulesets = {
  /** A key's view, as of the last change that this replica has read. @throws AppError unavailable if it was never read and cannot be */
  view(projectID: string, scope: KeyScope): Promise<RulesetView>;
  /** The same as of the last change that was committed before the call, with the project. @throws AppError not_found, unavailable */
  current(projectID: string, scope: KeyScope): Promise<{ project: EvaluatedProject; view: RulesetView }>;
  /** The same, and what a key would see with a proposal. @throws AppError not_found, unavailable */
  whatIf(projectID: string, scope: KeyScope, proposal: Proposal): Promise<WhatIf>;
  /** What events of a key refer to. Compiles nothing. @throws as `view` does */
  origin(projectID: string, scope: KeyScope): Promise<EventOrigin>;
  /** Whether a project is in memory, so that its views need no database. */
  hasLoaded(): boolean;
  /** Calls the listener after each change, when views already show it. Returns a function that unsubscribes. */
  subscribe(projectID: string, listener: () => void): () => void;
  /** Calls the listener with the project of each commit, and without one when notifications may have been missed. */
  watch(listener: (projectID?: string) => void): void;
};

/** A project with the rulesets of a key: as it is, and as it would be with a proposal. */
type WhatIf = { project: EvaluatedProject; before: Evaluated; after: Evaluated };

/** The channel of the database's notifications. The payload is the ID of a project with a committed change. */
const CHANNEL = "gatehouse_change";
/** The shortest time between two reads of a project's changes. A burst is read together, and each change shows within 50 ms. */
const READ_INTERVAL_MS = 25;

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
};

type Options = { database: Database; log: Logger; now: () => number };

/**
 * Keeps the rulesets of requested projects in memory. The database notifies of every change, and the changes are read from the change log.
 * While the database is away, views are those of the last change that was read.
 */
export function createRulesets({ database, log, now }: Options): Rulesets & { close(): Promise<void> } {
  const cache = new Map<string, Cached>();
  const watchers = new Set<(projectID?: string) => void>();
  const listening = database.listen(CHANNEL, {
    onMessage: (projectID) => {
      for (const watcher of watchers) watcher(projectID);
      void catchUpQuietly(projectID);
    },
    onConnected: () => {
      for (const watcher of watchers) watcher();
      for (const projectID of cache.keys()) void catchUpQuietly(projectID);
    },
  });
  const comparisonTimer = setInterval(() => void compareChangeNumbers(), database.changePollMs).unref();

  return {
    async view(projectID, scope) {
      const cached = cachedProject(projectID);
      return cached.views.of(await load(projectID, cached), scope);
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

    hasLoaded: () => [...cache.values()].some(({ loaded }) => loaded !== undefined),

    subscribe(projectID, listener) {
      const { listeners } = cachedProject(projectID);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    watch: (listener) => void watchers.add(listener),

    async close() {
      clearInterval(comparisonTimer);
      await listening.close();
      await Promise.allSettled([...cache.values()].map(({ catchingUp }) => catchingUp));
    },
  };

  function cachedProject(projectID: string): Cached {
    let cached = cache.get(projectID);
    if (!cached) {
      cached = { views: createViews(now), listeners: new Set(), isBehind: true, lastReadAt: Number.NEGATIVE_INFINITY };
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
        if (!update || update.seq === cached.loaded?.seq) continue;
        if (cached.loaded && !update.isReload && update.time === cached.loaded.time) {
          // Nothing since then moved the ruleset, such as sign-ins.
          cached.loaded.seq = update.seq;
          continue;
        }
        const { loaded, affected } = applyUpdate(update, cached.loaded);
        cached.loaded = loaded;
        if (affected) cached.views.affect(affected);
        else cached.views.reset();
        for (const listener of cached.listeners) listener();
      }
    } finally {
      delete cached.catchingUp;
    }
  }

  async function catchUpQuietly(projectID: string): Promise<void> {
    const cached = cache.get(projectID);
    if (!cached?.loaded) return;
    await catchUp(projectID, cached).catch((err: unknown) =>
      log.warn({ err, projectID }, "Reading a project's changes failed. Its last ruleset stays in use. The read will be retried."),
    );
  }

  async function compareChangeNumbers(): Promise<void> {
    const loaded = [...cache].filter(([, cached]) => cached.loaded);
    if (loaded.length === 0) return;
    const last = await readLastChanges(
      database,
      loaded.map(([projectID]) => projectID),
    ).catch(() => new Map<string, number>());
    for (const [projectID, cached] of loaded) {
      if ((last.get(projectID) ?? 0) > (cached.loaded?.seq ?? 0)) void catchUpQuietly(projectID);
    }
  }
}
