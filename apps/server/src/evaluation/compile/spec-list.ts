import type { Spec } from "@gatehouse/evaluation";
import { OrderedChunks } from "./ordered-chunks.ts";
import { VersionedMap } from "./versioned-map.ts";

/** Specs in an order of their own, which are found by their names too. A list never changes: `patched` makes the next. */
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

  values(): Spec[] {
    return this.ordered.values();
  }

  /** @param changes the spec that each place in the order has from now on */
  patched(changes: ReadonlyMap<string, Spec | undefined>): SpecList {
    if (changes.size === 0) return this;
    const gone: [string, undefined][] = [];
    const there: [string, Spec][] = [];
    for (const [place, spec] of changes) {
      const before = this.ordered.get(place);
      if (before) gone.push([nameOf(before), undefined]);
      if (spec) there.push([nameOf(spec), spec]);
    }
    // A name may go from one place to another.
    return new SpecList(this.ordered.patched(changes), this.#byName.patched([...gone, ...there]));
  }
}

function nameOf({ name = "" }: Spec): string {
  return name;
}
