import type { Logger } from "pino";
import { isUnavailable } from "../authentication/lookups.ts";
import { HOUR_MS } from "../common/utc-day.ts";
import type { Rulesets } from "../evaluation/rulesets/rulesets.ts";
import type { RulesetView } from "../evaluation/rulesets/views.ts";
import type { HeldIDLists } from "./id-lists.ts";
import { type Reach, readRuleset, receivedView, withTime } from "./received-ruleset.ts";
import { ForbiddenRequest, originAway, type Upstream } from "./upstream.ts";

/** The most rulesets of different keys in memory. Beyond these, the one that was used longest ago is dropped. */
const MAX_RULESETS = 100;
/** A ruleset that no caller used for this time is dropped. */
const MAX_IDLE_MS = 24 * HOUR_MS;
/** Callers that claim to know a later ruleset ask the origin at most this often, ms. */
const CLAIM_INTERVAL_MS = 500;

type Held = {
  reach: Reach;
  view?: RulesetView;
  /** The text as the origin sent it. */
  text?: string;
  /** Whether the ruleset may have changed since it was last requested. */
  isBehind: boolean;
  loading?: Promise<void>;
  /** When the origin last confirmed it, and when a caller last used it, by the monotonic clock, ms. */
  confirmedAt: number;
  usedAt: number;
};

/** A ruleset as it is stored. */
export type StoredRuleset = { reach: Reach; text: string; time: number };

export type RelayRulesets = Pick<Rulesets, "view" | "viewSince" | "origin" | "subscribe"> & {
  /** Downloads the rulesets that may have changed. Failed downloads are repeated at the next call. */
  refresh(): Promise<void>;
  /** Refreshes if the project's ruleset has another time than those in memory. */
  noteTime(time: number): void;
  /** The number of rulesets in memory, and the time since the oldest of them was confirmed, ms. */
  state(): { rulesets: number; ageMs: number };
  /** The rulesets as they are stored, the most recently used last. */
  stored(): (StoredRuleset & { checksum: string })[];
  /** Restores rulesets whose ID lists are there. */
  restore(rulesets: StoredRuleset[]): void;
};

type Options = { upstream: Upstream; lists: HeldIDLists; now: () => number; log: Logger; onReceived?: () => void };

/** The rulesets of the keys that applications present, as the origin has them. While the origin is away, the last ones stay in use. */
export function createRelayRulesets({ upstream, lists, now, log, onReceived = () => {} }: Options): RelayRulesets {
  /** By reach, the most recently used last. */
  const held = new Map<string, Held>();
  const listeners = new Set<() => void>();
  /** The names of the ID lists of rulesets whose lists are being downloaded. */
  const receiving = new Set<readonly string[]>();

  function holdFor({ environments, targetApps }: Reach): Held {
    const key = toKey({ environments, targetApps });
    const usedAt = performance.now();
    const one = held.get(key) ?? { reach: { environments, targetApps }, isBehind: true, confirmedAt: usedAt, usedAt };
    one.usedAt = usedAt;
    held.delete(key);
    const [oldest] = held.keys();
    if (oldest !== undefined && held.size >= MAX_RULESETS) held.delete(oldest);
    held.set(key, one);
    return one;
  }

  /** Requests the ruleset at least once after the call. Concurrent calls share the next request. */
  function load(one: Held): Promise<void> {
    one.isBehind = true;
    one.loading ??= request(one).finally(() => {
      delete one.loading;
    });
    return one.loading;
  }

  async function request(one: Held): Promise<void> {
    while (one.isBehind) {
      one.isBehind = false;
      try {
        await receive(one);
      } catch (error) {
        one.isBehind = true;
        throw error;
      }
    }
  }

  async function receive(one: Held): Promise<void> {
    const startedAt = performance.now();
    const { view, reach } = one;
    const known = view && { time: view.time, checksum: view.checksum };
    const text = await upstream.post("/v1/relay/ruleset", { ...reach, ...known });
    if (view && text.startsWith('{"has_updates":false')) {
      const { time }: { time: number } = JSON.parse(text);
      if (time !== view.time) one.view = withTime(view, time, now());
    } else {
      const received = readRuleset(text);
      const names = received.ruleset.idLists;
      receiving.add(names);
      try {
        await lists.update(names, listsInUse);
        one.text = text;
        one.view = receivedView(received, { reach, changedAt: now(), idLists: lists.hashes(names), now });
      } finally {
        receiving.delete(names);
      }
    }
    one.confirmedAt = startedAt;
    if (one.view?.time === view?.time && one.view?.checksum === view?.checksum) return;
    onReceived();
    for (const listener of listeners) listener();
  }

  function listsInUse(): Set<string> {
    const ofViews = Array.from(held.values(), (one) => one.view?.ruleset.idLists ?? []);
    return new Set([...ofViews, ...receiving].flat());
  }

  async function view({ environments, targetApps }: Reach): Promise<RulesetView> {
    const one = holdFor({ environments, targetApps });
    if (!one.view) await load(one);
    if (!one.view) throw originAway(new Error("No ruleset was received."));
    return one.view;
  }

  function drop(one: Held): void {
    const key = toKey(one.reach);
    if (held.get(key) === one) held.delete(key);
  }

  async function refresh(): Promise<void> {
    const now = performance.now();
    for (const one of [...held.values()]) if (now - one.usedAt > MAX_IDLE_MS) drop(one);
    await Promise.all(
      Array.from(held.values(), (one) =>
        load(one).catch((err: unknown) => {
          // The relay's key no longer covers it, or no application has a key with these limits any more.
          if ((err as Error).cause instanceof ForbiddenRequest) drop(one);
          else if (!isUnavailable(err)) log.error({ err }, "A ruleset could not be downloaded. The last one stays in use.");
        }),
      ),
    );
  }

  return {
    view: (_projectID, scope) => view(scope),

    async viewSince(_projectID, scope, time) {
      const known = await view(scope);
      const one = holdFor(scope);
      if (known.time >= time || performance.now() - one.confirmedAt < CLAIM_INTERVAL_MS) return { view: known, isLatest: true };
      return load(one).then(
        async () => ({ view: await view(scope), isLatest: true }),
        async (error: unknown) => {
          if (!isUnavailable(error)) throw error;
          return { view: known, isLatest: false };
        },
      );
    },

    origin: async (_projectID, scope) => (await view(scope)).origin,

    subscribe(_projectID, listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    refresh,

    noteTime(time) {
      const isOther = [...held.values()].some((one) => one.view !== undefined && one.view.time !== time);
      if (isOther) void refresh();
      else for (const one of held.values()) one.confirmedAt = performance.now();
    },

    state() {
      const ages = [...held.values()].filter((one) => one.view).map(({ confirmedAt }) => performance.now() - confirmedAt);
      return { rulesets: ages.length, ageMs: Math.max(0, ...ages) };
    },

    stored: () =>
      [...held.values()].flatMap(({ reach, text, view: one }) =>
        text === undefined || !one ? [] : [{ reach, text, time: one.time, checksum: one.checksum }],
      ),

    restore(rulesets) {
      for (const { reach, text, time } of rulesets) {
        const received = readRuleset(text);
        const idLists = lists.hashes(received.ruleset.idLists);
        if (received.ruleset.idLists.some((name) => !Object.hasOwn(idLists, name))) continue;
        const one = holdFor(reach);
        const made = receivedView(received, { reach, changedAt: time, idLists, now });
        Object.assign(one, { text, view: made.time === time ? made : withTime(made, time, time) });
      }
    },
  };
}

function toKey({ environments, targetApps }: Reach): string {
  return JSON.stringify([environments.toSorted(), targetApps.toSorted()]);
}
