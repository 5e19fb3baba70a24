import type { Logger } from "pino";
import type { KeyScope } from "../../context.ts";
import { notFound } from "../../errors.ts";
import type { Database } from "../../store/database.ts";
import { type LoadedProject, loadProject } from "./loaded-project.ts";
import { readLastChanges } from "./project-store.ts";
import { createViews, type RulesetView, type Views } from "./views.ts";

/** The rulesets of every project, kept up to date with the change log. */
export type Rulesets = {
  /** As of the last change that this replica knows of. @throws AppError unavailable while it has never been read */
  view(projectID: string, scope: KeyScope): Promise<RulesetView>;
  /** Told after each change that views show already. Returns what ends it. */
  subscribe(projectID: string, listener: () => void): () => void;
};

/** What the database notifies of, with the project's ID, at the commit of each change. */
const CHANNEL = "gatehouse_change";
/** How often the numbers of the last changes are compared, ms, in case a notification was lost. */
const COMPARE_EVERY = 5_000;

/** One project's place in memory. It is filled when somebody first asks for a view, and kept. */
type Place = {
  loaded?: LoadedProject;
  views: Views;
  listeners: Set<() => void>;
  /** Something may have changed since the last look. */
  isBehind: boolean;
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
  const comparing = setInterval(() => void compare(), COMPARE_EVERY).unref();

  return {
    async view(projectID, scope) {
      const place = placeOf(projectID);
      if (!place.loaded) await catchUp(projectID, place);
      if (!place.loaded) throw notFound("Project", projectID);
      return place.views.of(place.loaded, scope);
    },

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
      place = { views: createViews(now), listeners: new Set(), isBehind: true };
      places.set(projectID, place);
    }
    return place;
  }

  /** Looks at least once after the call; calls that come meanwhile share the next look. */
  function catchUp(projectID: string, place: Place): Promise<void> {
    place.isBehind = true;
    place.catchingUp ??= look(projectID, place);
    return place.catchingUp;
  }

  async function look(projectID: string, place: Place): Promise<void> {
    try {
      while (place.isBehind) {
        place.isBehind = false;
        const before = place.loaded?.seq;
        place.loaded = await loadProject(database, projectID, place.loaded);
        if (place.loaded?.seq === before) continue;
        place.views.forget();
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
      log.warn({ err, projectID }, "A project's changes could not be read. Its last ruleset stays in use, and they are tried again."),
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
