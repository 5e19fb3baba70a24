import { setFlagsFromString } from "node:v8";

/** How far the old generation may grow beyond what lived at its last collection, percent. V8's own choice is up to 300 and follows the speed of allocation. */
const MAX_HEAP_GROWTH_PERCENT = 100;

/**
 * Collects garbage before it fills memory. Left to itself V8 lets a heap that lives on 50 MB grow to 200 MB under load, since the machine has more:
 * a server shares it with a database and other replicas. V8 reads the flag at each collection, so it may be set after the start.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${MAX_HEAP_GROWTH_PERCENT}`);
}
