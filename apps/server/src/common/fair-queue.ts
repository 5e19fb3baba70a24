/** Items that wait for something that all parties share. Parties have turns one after the other, and the items of each keep their order. */
export type FairQueue<T> = {
  readonly size: number;
  /** How many items of a party wait. */
  count(party: string): number;
  add(party: string, item: T): void;
  remove(party: string, item: T): void;
  /** Takes the first item of the party whose turn it is, among those that may have one. */
  take(mayHaveTurn?: (party: string) => boolean): { party: string; item: T } | undefined;
  /** Takes all items. */
  clear(): T[];
};

export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns. A party without an item is not here, so that it comes last when it returns. */
  const parties = new Map<string, T[]>();

  return {
    get size() {
      return [...parties.values()].reduce((sum, items) => sum + items.length, 0);
    },
    count: (party) => parties.get(party)?.length ?? 0,
    add(party, item) {
      const items = parties.get(party);
      if (items) items.push(item);
      else parties.set(party, [item]);
    },
    remove(party, item) {
      const items = parties.get(party)?.filter((other) => other !== item) ?? [];
      if (items.length > 0) parties.set(party, items);
      else parties.delete(party);
    },
    take(mayHaveTurn = () => true) {
      for (const [party, items] of parties) {
        if (!mayHaveTurn(party)) continue;
        const [item, ...others] = items as [T, ...T[]];
        parties.delete(party);
        if (others.length > 0) parties.set(party, others);
        return { party, item };
      }
      return undefined;
    },
    clear() {
      const items = [...parties.values()].flat();
      parties.clear();
      return items;
    },
  };
}

export type FairLimit = {
  /**
   * Does work when it is the turn of its party. @param signal ends only the wait
   * @throws the error of `refuse` if too much of the party or of all waits; the signal's reason
   */
  run<T>(party: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

type Bounds = {
  /** How much runs at once, of each party and of all. */
  running: { each: number; all: number };
  /** How much may wait. */
  waiting: { each: number; all: number };
};

/** Bounds the work that runs at once, so that each party gets its turns. */
export function createFairLimit({ running, waiting }: Bounds, refuse: () => Error): FairLimit {
  const queue = createFairQueue<() => void>();
  const counts = new Map<string, number>();
  let total = 0;

  const isBelowOwn = (party: string) => (counts.get(party) ?? 0) < running.each;

  function next(): void {
    if (total < running.all) queue.take(isBelowOwn)?.item();
  }

  function wait(party: string, signal: AbortSignal | undefined): Promise<void> {
    if (queue.count(party) >= waiting.each || queue.size >= waiting.all) throw refuse();
    return new Promise((resolve, reject) => {
      const leave = () => {
        queue.remove(party, begin);
        reject(signal?.reason);
      };
      const begin = () => {
        signal?.removeEventListener("abort", leave);
        count(party, 1);
        resolve();
      };
      signal?.addEventListener("abort", leave, { once: true });
      queue.add(party, begin);
    });
  }

  function count(party: string, change: 1 | -1): void {
    total += change;
    const own = (counts.get(party) ?? 0) + change;
    if (own > 0) counts.set(party, own);
    else counts.delete(party);
  }

  return {
    async run(party, work, signal) {
      signal?.throwIfAborted();
      if (total < running.all && isBelowOwn(party)) count(party, 1);
      else await wait(party, signal);
      try {
        return await work();
      } finally {
        count(party, -1);
        next();
      }
    },
  };
}
