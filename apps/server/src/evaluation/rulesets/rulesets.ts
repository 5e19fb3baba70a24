import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { KeyScope } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { Database } from "../../store/database.ts";
import { type LoadedProject, readNews, takeOver } from "./loaded-project.ts";
import { readLastChanges } from "./project-store.ts";
import { createViews, type RulesetView, type Views } from "./views.ts";

/** The rulesets of every project, kept up to date with the change log. */
export type Rulesets = {
  /** As of the last change that this replica knows of. @throws AppError unavailable while it has never been read */
  view(projectID: string, scope: KeyScope): Promise<RulesetView>;
  /** Whether there is a project whose views need no database. */
  hasLoaded(): boolean;
  /** Told after each change that views show already. Returns what ends it. */
  subscribe(projectID: string, listener: () => void): () => void;
};

/** The channel of the database's notifications: the project's ID at the commit of each change. */
const CHANNEL = "gatehouse_change";
/** The shortest time between two reads of a project's changes: a burst is read together, and each change shows within 50 ms. */
const LOOK_INTERVAL_MS = 25;

/** One project's place in memory. It is filled when somebody first asks for a view, and kept. */
type Place = {
  loaded?: LoadedProject;
  views: Views;
  listeners: Set<() => void>;
  /** Something may have changed since the last look. */
  isBehind: boolean;
  /** When the last look began, by the monotonic clock, ms. */
  lookedAt: number;
  catchingUp?: Promise<void>;
};

type Options = { database: Database; log: Logger; now: () => number };

/**
 * The rulesets of the projects that somebody asks for, each kept in memory and up to date: the database notifies of every change, and what
 * changed is read from the change log. While the database is away, the views are those of the last change that was read.
 */
export function createRulesets({ database, log, now }: Options): Rulesets & { close(): Promise<void> } {
  const places = new Map<string, Place>();
  const listening = database.listen(CHANNEL, {
    onMessage: (projectID) => void catchUpQuietly(projectID),
    onConnected: () => {
      for (const projectID of places.keys()) void catchUpQuietly(projectID);
    },
  });
  const comparing = setInterval(() => void compare(), database.changePollMs).unref();

  return {
    async view(projectID, scope) {
      const place = placeOf(projectID);
      if (!place.loaded) await catchUp(projectID, place);
      if (!place.loaded) throw notFound("Project", projectID);
      return place.views.of(place.loaded, scope);
    },

    hasLoaded: () => [...places.values()].some(({ loaded }) => loaded !== undefined),

    subscribe(projectID, listener) {
      const { listeners } = placeOf(projectID);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    async close() {
      clearInterval(comparing);
      await listening.close();
      await Promise.allSettled([...places.values()].map(({ catchingUp }) => catchingUp));
    },
  };

  function placeOf(projectID: string): Place {
    let place = places.get(projectID);
    if (!place) {
      place = { views: createViews(now), listeners: new Set(), isBehind: true, lookedAt: Number.NEGATIVE_INFINITY };
      places.set(projectID, place);
    }
    return place;
  }

  /** Reads the changes at least once after the call. Concurrent calls share the next read. */
  function catchUp(projectID: string, place: Place): Promise<void> {
    place.isBehind = true;
    place.catchingUp ??= look(projectID, place);
    return place.catchingUp;
  }

  async function look(projectID: string, place: Place): Promise<void> {
    try {
      while (place.isBehind) {
        const rest = place.lookedAt + LOOK_INTERVAL_MS - performance.now();
        if (rest > 0) await sleep(rest);
        place.lookedAt = performance.now();
        place.isBehind = false;
        const news = await readNews(database, projectID, place.loaded);
        if (!news || news.seq === place.loaded?.seq) continue;
        const { loaded, affected } = takeOver(news, place.loaded);
        place.loaded = loaded;
        if (affected) place.views.affect(affected);
        else place.views.reset();
        for (const listener of place.listeners) listener();
      }
    } finally {
      delete place.catchingUp;
    }
  }

  async function catchUpQuietly(projectID: string): Promise<void> {
    const place = places.get(projectID);
    if (!place?.loaded) return;
    await catchUp(projectID, place).catch((err: unknown) =>
      log.warn({ err, projectID }, "Reading a project's changes failed. Its last ruleset stays in use. The read will be retried."),
    );
  }

  async function compare(): Promise<void> {
    const loaded = [...places].filter(([, place]) => place.loaded);
    if (loaded.length === 0) return;
    const last = await readLastChanges(
      database,
      loaded.map(([projectID]) => projectID),
    ).catch(() => new Map<string, number>());
    for (const [projectID, place] of loaded) {
      if ((last.get(projectID) ?? 0) > (place.loaded?.seq ?? 0)) void catchUpQuietly(projectID);
    }
  }
}
