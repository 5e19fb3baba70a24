import { KINDS, type Kind } from "./evaluated-entities.ts";

/** An entity of a project, which need not exist. */
export type Node = { kind: Kind; id: string };

export const toKey = ({ kind, id }: Node) => `${kind} ${id}`;

/** A set of nodes. */
export class NodeSet {
  readonly #ids = new Map<Kind, Set<string>>(KINDS.map((kind) => [kind, new Set()]));

  add({ kind, id }: Node): void {
    this.listIDs(kind).add(id);
  }

  addAll(nodes: Iterable<Node>): void {
    for (const node of nodes) this.add(node);
  }

  listIDs(kind: Kind): Set<string> {
    return this.#ids.get(kind) as Set<string>;
  }

  get size(): number {
    return [...this.#ids.values()].reduce((sum, { size }) => sum + size, 0);
  }

  *[Symbol.iterator](): Generator<Node> {
    for (const [kind, ids] of this.#ids) for (const id of ids) yield { kind, id };
  }
}
