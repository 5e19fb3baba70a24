import { setFlagsFromString } from "node:v8";

/** Growth of the old generation between two collections, percent of the data that survived the last one. V8's own choice is up to 300. */
const MAX_HEAP_GROWTH_PERCENT = 100;

/**
 * Makes V8 collect garbage earlier. By default it lets a heap with 50 MB of live objects grow to 200 MB under load, but a server often
 * shares its machine with a database and other replicas. V8 reads the flag at each collection, so it can be set after the start.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${MAX_HEAP_GROWTH_PERCENT}`);
}
