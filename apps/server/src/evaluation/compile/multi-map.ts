/** A map from keys to sets of values. */
export class MultiMap<K, V> {
  readonly #sets = new Map<K, Set<V>>();

  add(key: K, value: V): void {
    const values = this.#sets.get(key);
    if (values) values.add(value);
    else this.#sets.set(key, new Set([value]));
  }

  delete(key: K, value: V): void {
    const values = this.#sets.get(key);
    if (values?.delete(value) && values.size === 0) this.#sets.delete(key);
  }

  of(key: K): ReadonlySet<V> {
    return this.#sets.get(key) ?? NONE;
  }
}

const NONE: ReadonlySet<never> = new Set();
