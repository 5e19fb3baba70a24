import type { Spec } from "@gatehouse/evaluation";
import { OrderedChunks } from "./ordered-chunks.ts";
import { VersionedMap } from "./versioned-map.ts";

/** An immutable list of specs, sorted by a key, with an index by name. `patched` returns the next version. */
export class SpecList {
  readonly ordered: OrderedChunks<Spec>;
  readonly #byName: VersionedMap<Spec>;

  constructor(ordered = new OrderedChunks<Spec>(), byName = new VersionedMap<Spec>()) {
    this.ordered = ordered;
    this.#byName = byName;
  }

  get(name: string): Spec | undefined {
    return this.#byName.get(name);
  }

  /** The specs in order, in chunks that other versions share. */
  groups(): (readonly Spec[])[] {
    return this.ordered.chunks.map(({ values }) => values);
  }

  values(): Spec[] {
    return this.ordered.values();
  }

  /** @param changes the new spec of each sort key; undefined removes it */
  patched(changes: ReadonlyMap<string, Spec | undefined>): SpecList {
    if (changes.size === 0) return this;
    const gone: [string, undefined][] = [];
    const there: [string, Spec][] = [];
    for (const [sortKey, spec] of changes) {
      const before = this.ordered.get(sortKey);
      if (before) gone.push([specName(before), undefined]);
      if (spec) there.push([specName(spec), spec]);
    }
    // A name may move from one sort key to another, so removals come first.
    return new SpecList(this.ordered.patched(changes), this.#byName.patched([...gone, ...there]));
  }
}

function specName({ name = "" }: Spec): string {
  return name;
}
