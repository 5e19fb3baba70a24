/** Names with values, each referenced by owners. A name exists as long as an owner references it. */
export class ReferencedNames<V> {
  readonly #namesByOwner = new Map<string, ReadonlyMap<string, V>>();
  readonly #ownersByName = new Map<string, Map<string, V>>();

  /** The value of a name. Every owner of a name gives it an equal value. */
  get(name: string): V | undefined {
    const [first] = this.#ownersByName.get(name)?.values() ?? [];
    return first;
  }

  names(): string[] {
    return [...this.#ownersByName.keys()];
  }

  /** Replaces the names of an owner. @returns its names before and after, each once */
  set(owner: string, names: ReadonlyMap<string, V>): string[] {
    const before: ReadonlyMap<string, V> = this.#namesByOwner.get(owner) ?? NONE;
    if (before.size === 0 && names.size === 0) return [];
    for (const name of before.keys()) {
      const owners = this.#ownersByName.get(name);
      if (owners?.delete(owner) && owners.size === 0) this.#ownersByName.delete(name);
    }
    for (const [name, value] of names) {
      const owners: Map<string, V> = this.#ownersByName.get(name) ?? new Map();
      this.#ownersByName.set(name, owners.set(owner, value));
    }
    if (names.size > 0) this.#namesByOwner.set(owner, names);
    else this.#namesByOwner.delete(owner);
    return [...new Set([...before.keys(), ...names.keys()])];
  }
}

const NONE = new Map<string, never>();
