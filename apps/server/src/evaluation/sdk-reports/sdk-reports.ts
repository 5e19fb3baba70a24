import type { Logger } from "pino";
import type { Credentials } from "../../common/context.ts";
import { utcDay } from "../../common/utc-day.ts";
import { type NamingRequest, OTHER, readSdkName } from "./sdk-name.ts";
import type { SdkCount } from "./sdk-report-store.ts";

/** How long requests are counted in memory before they are stored. */
const FLUSH_INTERVAL_MS = 5_000;
/** Counts in memory. Beyond these, requests count as those of other SDKs, so that there is one more count for each key and outcome. */
const MAX_COUNTS = 5_000;

/** The outcome of requests that were not rejected. A rejected request has its status. */
const SERVED = 0;
/** The outcome of exceptions that SDKs report. */
const EXCEPTION = -1;

/** The status of a rejected request, or an exception that the SDK reports. Neither if the request was served. */
type Failure = { status?: number; exception?: string };

/** Counts the requests of SDKs. */
export type SdkReports = {
  count(caller: Pick<Credentials, "projectID" | "actor">, request: NamingRequest, failure?: Failure): void;
  /** Adds requests that a relay counted. */
  add(count: SdkCount): void;
  /** Stores the counts in memory. */
  flush(): Promise<void>;
};

/** Stores counts. They are kept and tried again if that fails. */
type Store = (counts: readonly SdkCount[]) => Promise<void>;

type Options = { store: Store; now: () => number; log: Logger };

/**
 * Counts in memory and stores the sums every five seconds, so that a request costs no statement. The counts of replicas add up. If the
 * connection breaks during a commit, the counts of five seconds may be stored twice.
 */
export function createSdkReports({ store: send, now, log }: Options): SdkReports {
  let counts = new Map<string, SdkCount>();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();

  function add(added: SdkCount): void {
    const { projectID, keyID, day, outcome } = added;
    let { sdk, version } = added;
    let key = toKey(projectID, keyID, day, sdk, version, outcome);
    let known = counts.get(key);
    if (!known && counts.size >= MAX_COUNTS) {
      [sdk, version] = [OTHER, ""];
      key = toKey(projectID, keyID, day, sdk, version, outcome);
      known = counts.get(key);
    }
    if (!known) {
      counts.set(key, { ...added, sdk, version });
      return;
    }
    known.count += added.count;
    known.lastTime = Math.max(known.lastTime, added.lastTime);
    known.detail = added.detail ?? known.detail;
  }

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (counts.size === 0) return;
    const stored = [...counts.values()];
    counts = new Map();
    await send(stored).catch((err: unknown) => {
      log.warn({ err }, "Requests of SDKs could not be counted. The next attempt counts them.");
      for (const one of stored) add(one);
      schedule();
    });
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), FLUSH_INTERVAL_MS).unref();
  }

  function flush(): Promise<void> {
    flushing = flushing.then(store);
    return flushing;
  }

  return {
    count({ projectID, actor }, request, { status = SERVED, exception } = {}) {
      const { sdk, version } = readSdkName(request);
      const time = now();
      const outcome = exception === undefined ? status : EXCEPTION;
      const detail = exception ?? null;
      add({ projectID, keyID: actor.id, day: utcDay(time), sdk, version, outcome, count: 1, lastTime: time, detail });
      schedule();
    },
    add(count) {
      add(count);
      schedule();
    },
    flush,
  };
}

function toKey(projectID: string, keyID: string, day: number, sdk: string, version: string, outcome: number): string {
  return `${projectID}\n${keyID}\n${day}\n${sdk}\n${version}\n${outcome}`;
}
