/** What some owners each hold several of: names with a value, and whether anybody holds one still. */
export class Counted<V> {
  readonly #held = new Map<string, ReadonlyMap<string, V>>();
  readonly #owners = new Map<string, Map<string, V>>();

  /** The value of a name that somebody holds. All who hold one name hold equal values. */
  get(name: string): V | undefined {
    const [first] = this.#owners.get(name)?.values() ?? [];
    return first;
  }

  names(): string[] {
    return [...this.#owners.keys()];
  }

  /** @param held what the owner holds from now on @returns the names that it has come to hold or holds no longer */
  set(owner: string, held: ReadonlyMap<string, V>): string[] {
    const before: ReadonlyMap<string, V> = this.#held.get(owner) ?? NOTHING;
    if (before.size === 0 && held.size === 0) return [];
    for (const name of before.keys()) {
      const owners = this.#owners.get(name);
      if (owners?.delete(owner) && owners.size === 0) this.#owners.delete(name);
    }
    for (const [name, value] of held) {
      const owners: Map<string, V> = this.#owners.get(name) ?? new Map();
      this.#owners.set(name, owners.set(owner, value));
    }
    if (held.size > 0) this.#held.set(owner, held);
    else this.#held.delete(owner);
    return [...new Set([...before.keys(), ...held.keys()])];
  }
}

const NOTHING = new Map<string, never>();
