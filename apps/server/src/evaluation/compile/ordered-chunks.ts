/** Consecutive entries, sorted by key. Immutable. */
export type Chunk<V> = { keys: readonly string[]; values: readonly V[] };

type Entry<V> = [key: string, value: V];

/** The mean number of entries in a chunk. */
const CHUNK_SIZE = 64;

/**
 * An immutable list of entries, sorted by key (UTF-16 code units), in chunks. `patched` returns a new list that shares every chunk without
 * a change. Only the keys determine where a chunk begins, so equal lists have equal chunks, regardless of their histories.
 */
export class OrderedChunks<V> {
  readonly chunks: readonly Chunk<V>[];

  constructor(chunks: readonly Chunk<V>[] = []) {
    this.chunks = chunks;
  }

  get(key: string): V | undefined {
    const chunk = this.chunks[this.#place(key)];
    if (chunk === undefined) return undefined;
    const index = lastAtMost(chunk.keys, key);
    return chunk.keys[index] === key ? chunk.values[index] : undefined;
  }

  *entries(): Generator<Entry<V>> {
    for (const { keys, values } of this.chunks) {
      for (const [index, key] of keys.entries()) yield [key, values[index] as V];
    }
  }

  values(): V[] {
    return this.chunks.flatMap(({ values }) => values);
  }

  /** @param changes the new value of each key; undefined removes it */
  patched(changes: ReadonlyMap<string, V | undefined>): OrderedChunks<V> {
    if (changes.size === 0) return this;
    const byChunk = new Map<number, Entry<V | undefined>[]>();
    for (const change of [...changes].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const place = this.#place(change[0]);
      const others = byChunk.get(place);
      if (others) others.push(change);
      else byChunk.set(place, [change]);
    }
    const chunks: Chunk<V>[] = [];
    let copied = 0;
    for (const [place, ofChunk] of byChunk) {
      for (; copied < place; copied++) chunks.push(this.chunks[copied] as Chunk<V>);
      append(chunks, merged(this.chunks[place], ofChunk));
      copied = place + 1;
    }
    for (; copied < this.chunks.length; copied++) chunks.push(this.chunks[copied] as Chunk<V>);
    return new OrderedChunks(chunks);
  }

  /** The index of the chunk that a key belongs to. */
  #place(key: string): number {
    let [low, high] = [0, this.chunks.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.chunks[middle]?.keys[0] as string) <= key) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The index of the last key that is less than or equal to `key`; 0 if all are greater. */
function lastAtMost(keys: readonly string[], key: string): number {
  let [low, high] = [0, keys.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((keys[middle] as string) <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

function merged<V>({ keys, values }: Chunk<V> = { keys: [], values: [] }, changes: Entry<V | undefined>[]): Entry<V>[] {
  const entries: Entry<V>[] = [];
  let kept = 0;
  const keepUntil = (end: (key: string) => boolean) => {
    for (; kept < keys.length && !end(keys[kept] as string); kept++) entries.push([keys[kept] as string, values[kept] as V]);
  };
  for (const [key, value] of changes) {
    keepUntil((other) => other >= key);
    if (keys[kept] === key) kept++;
    if (value !== undefined) entries.push([key, value]);
  }
  keepUntil(() => false);
  return entries;
}

/** Appends entries: to the last chunk up to the first key that begins a chunk, then as new chunks. */
function append<V>(chunks: Chunk<V>[], entries: Entry<V>[]): void {
  let begin = 0;
  for (let end = 1; end <= entries.length; end++) {
    if (end < entries.length && !beginsChunk((entries[end] as Entry<V>)[0])) continue;
    const run = entries.slice(begin, end);
    const chunk = { keys: run.map(([key]) => key), values: run.map(([, value]) => value) };
    const before = beginsChunk(chunk.keys[0] as string) ? undefined : chunks.pop();
    chunks.push(before ? { keys: [...before.keys, ...chunk.keys], values: [...before.values, ...chunk.values] } : chunk);
    begin = end;
  }
}

/** True for one key in CHUNK_SIZE on average. FNV-1a with its bits mixed, since keys mostly differ at their ends. */
function beginsChunk(key: string): boolean {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index++) hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return ((hash ^ (hash >>> 13)) >>> 0) % CHUNK_SIZE === 0;
}
