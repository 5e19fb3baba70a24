/**
 * A persistent map. `patched` returns the next version at a cost that follows the number of changes: only the newest version has the
 * entries, and an older one the differences since. So a look-up in the newest version costs as much as in a `Map`, and more in older ones.
 */
export class VersionedMap<V> {
  #entries: Map<string, V>;
  /** Undefined for the newest version. */
  #newer: { version: VersionedMap<V>; before: Map<string, V | undefined> } | undefined;

  constructor(entries: Map<string, V> = new Map()) {
    this.#entries = entries;
  }

  get(key: string): V | undefined {
    if (this.#newer === undefined) return this.#entries.get(key);
    let version: VersionedMap<V> = this;
    for (let newer = version.#newer; newer !== undefined; newer = version.#newer) {
      if (newer.before.has(key)) return newer.before.get(key);
      version = newer.version;
    }
    return version.#entries.get(key);
  }

  /** @param changes the new value of each key; undefined removes it. @throws Error on a version that is not the newest */
  patched(changes: Iterable<readonly [string, V | undefined]>): VersionedMap<V> {
    if (this.#newer) throw new Error("Only the newest version of a map can be patched.");
    const entries = this.#entries;
    const version = new VersionedMap(entries);
    const before = new Map<string, V | undefined>();
    for (const [key, value] of changes) {
      if (!before.has(key)) before.set(key, entries.get(key));
      if (value === undefined) entries.delete(key);
      else entries.set(key, value);
    }
    this.#newer = { version, before };
    this.#entries = NONE;
    return version;
  }
}

const NONE = new Map<string, never>();
